import { Cause, Effect, Exit, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { anonymous } from "../../../schema/viewer.ts"
import { CurrentViewer } from "../../api/access.ts"
import { readerTokenHeader } from "../../pages/parts/reader-token-header.ts"
import { Build } from "../build.ts"
import { countingPublicReads } from "../middleware/public-reads.ts"
import { countingQuoteChecks } from "../middleware/quote-checks.ts"
import { problemResponse, problemText } from "../problem.ts"
import type { ToolServices } from "./tool.ts"
import { tools, withAddresses } from "./tools.ts"

const instructions =
  "The public record of local government in one US state: what city councils, school boards, planning commissions and county boards discussed and decided. Find meetings with search_meetings, narrow the search by the slugs that find_place_or_body gives, and open a meeting with read_meeting. Cite the `url` of what you use; a meeting's address with `?t=SECONDS` opens its recording there. Decisions, votes and the words themselves are for readers: with a share link as share_token, or with a token that a reader makes at /account/tokens (accounts are free)."

/** Loaded by the first request: a service that never gets one need not have it in memory. */
const protocol = Effect.promise(() =>
  Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
    import("@modelcontextprotocol/sdk/types.js")
  ])
)

/** One request may hold one message: many searches are many public reads. */
const noBatch = HttpServerResponse.jsonUnsafe(
  { jsonrpc: "2.0", id: null, error: { code: -32600, message: "Send one message per request, not a batch." } },
  { status: 400 }
)

/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions, so that every node can answer every
 * request and nothing is stored about a client. Read-only. Besides share tokens, which are arguments, its one
 * credential is a reader's token in a header of its own (docs/decisions/accounts-and-security.md); cookies and
 * `Authorization` are ignored. Each request counts as a public read.
 */
export const McpRoute = Layer.unwrap(
  Effect.gen(function* () {
    const { baseUrl } = yield* Environment
    const build = yield* Build
    const counted = yield* countingPublicReads
    const countedCheck = yield* countingQuoteChecks
    const runExit = Effect.runPromiseExitWith(yield* Effect.context<ToolServices>())

    const answer = Effect.fn("Mcp.answer")(function* (request: HttpServerRequest.HttpServerRequest) {
      const body = yield* request.text
      const token = request.headers[readerTokenHeader.toLowerCase()] || undefined
      if (body.trimStart().startsWith("[")) return noBatch
      const [{ Server }, { WebStandardStreamableHTTPServerTransport }, types] = yield* protocol
      const server = new Server(
        { name: "civic-record", title: "Civic Record", version: build.id, websiteUrl: baseUrl },
        { capabilities: { tools: {} }, instructions }
      )
      server.setRequestHandler(types.ListToolsRequestSchema, () => ({
        tools: tools.map(({ listing }) => ({ ...listing }))
      }))
      // By address alone: a token is not looked up before the limit.
      const mayCheck = countedCheck.pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, request),
        Effect.provideService(CurrentViewer, anonymous)
      )
      let fault: Cause.Cause<never> | undefined
      server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, { signal }) => {
        const tool = tools.find(({ listing }) => listing.name === params.name)
        if (tool === undefined)
          throw new types.McpError(types.ErrorCode.InvalidParams, `There is no tool ${params.name}.`)
        const exit = await runExit(
          Effect.andThen(tool.isQuoteCheck === true ? mayCheck : Effect.void, tool.call(params.arguments, token)),
          { signal }
        )
        if (Exit.isSuccess(exit)) {
          // Each answer once: repeated as text, it would take twice the room in the context of a model.
          const { data, text } = exit.value
          return { content: [{ type: "text", text }], structuredContent: withAddresses(baseUrl, data) }
        }
        const refused = Cause.findErrorOption(exit.cause)
        if (Option.isNone(refused))
          fault = Cause.fromReasons(exit.cause.reasons.filter((reason) => !Cause.isFailReason(reason)))
        return {
          content: [{ type: "text", text: Option.match(refused, { onNone: () => "", onSome: problemText }) }],
          isError: true
        }
      })
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      yield* Effect.acquireRelease(
        Effect.promise(() => server.connect(transport)),
        // When the caller hangs up, work still running is interrupted.
        () => Effect.promise(() => server.close())
      )
      const response = yield* Effect.promise(() =>
        transport.handleRequest(
          new Request(`${baseUrl}/mcp`, { method: "POST", headers: { ...request.headers }, body })
        )
      )
      // An internal fault is answered like everywhere else; its detail stays in the log.
      return fault === undefined ? HttpServerResponse.fromWeb(response) : yield* Effect.failCause(fault)
    }, Effect.scoped)

    return HttpRouter.add("POST", "/mcp", (request) =>
      Effect.matchEffect(counted, {
        onFailure: (error) => Effect.succeed(problemResponse(error)),
        onSuccess: () => answer(request)
      })
    )
  })
)
