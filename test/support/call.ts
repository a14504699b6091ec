import { Effect } from "effect"
import { type Credentials, nobody } from "./actors.ts"
import { ask } from "./asked.ts"
import { serviceAddress } from "./service.ts"

/** A request to the service under test; a body is sent as JSON. */
export const requestOf = Effect.fnUntraced(function* (
  method: string,
  target: string,
  who: Credentials = nobody,
  body?: unknown,
  headers: Record<string, string> = {}
) {
  const url = new URL(target, yield* serviceAddress)
  for (const [name, value] of Object.entries(who.query)) url.searchParams.set(name, value)
  const init = {
    method,
    headers: { ...who.headers, ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  }
  return { url: url.href, init }
})

/** Sends it, and reads the response to the end. */
export const call = (...asked: Parameters<typeof requestOf>) =>
  Effect.flatMap(requestOf(...asked), ({ url, init }) => ask(url, init))
