import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Effect } from "effect"
import { serviceAddress } from "./service.ts"

/** The client that others use: the SDK's own. */
export const connected = Effect.fnUntraced(function* (headers: Readonly<Record<string, string>> = {}) {
  const client = new Client({ name: "test", version: "1" })
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", yield* serviceAddress), {
    requestInit: { headers }
  })
  yield* Effect.acquireRelease(
    // Its type says that a session id may be undefined, and the interface that it may be missing.
    Effect.promise(() => client.connect(transport as Parameters<typeof client.connect>[0])),
    () => Effect.promise(() => client.close())
  )
  return client
})

/** Calls a tool: `told` is its data or, refused, the error. */
export const calling = Effect.fnUntraced(function* (
  name: string,
  args: Record<string, unknown>,
  headers: Readonly<Record<string, string>> = {}
) {
  const client = yield* connected(headers)
  const result = yield* Effect.promise(() => client.callTool({ name, arguments: args }))
  const [content] = result.content as ReadonlyArray<{ readonly type: string; readonly text: string }>
  const text = content?.text ?? ""
  const isError = result.isError === true
  return { isError, text, told: JSON.parse(isError ? text : JSON.stringify(result.structuredContent)) }
})
