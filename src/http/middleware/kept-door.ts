import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { countAnswer } from "../../../layers/metrics.ts"
import { RecordRevision } from "../../services/feed/record-revision.ts"
import { codingOf } from "../content-coding.ts"
import type { Exchange } from "../exchange.ts"
import { KeptAnswers, type KeptOperation, keptPlace } from "../kept-answers.ts"
import { logAccess, measureRequest } from "./access-log.ts"
import { hasFresh, withCaching } from "./caching.ts"
import { publicReads } from "./public-reads.ts"
import { withRequestId } from "./request-id.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/**
 * Whether nothing about a request but its target and its coding can make a difference to the answer: it reads, it has no
 * body, and, where the viewer decides, it presents neither a cookie nor a parameter that could be a grant.
 */
const presentsNothing = ({ isPublic }: KeptOperation, { headers, method, url }: Request): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined &&
  (isPublic || (headers.cookie === undefined && !url.includes("?")))

/**
 * The early door to the kept answers: such a request does not pass the router, the middleware and the handler of its
 * operation. Everything else that happens to a request happens here too: it is counted against its address, answered with
 * 304 if the caller has this version, measured and logged; or it is refused, which the edge has to say. `finish` is what the
 * edge does to the headers of any response.
 *
 * Undefined is any other request, an answer that is not kept, and a moment at which the database would have to be asked
 * for the revision: those take the long way, on which `KeepsAnswers` finds or keeps the answer.
 */
export const keptDoor = Effect.fnUntraced(function* (finish: (exchange: Exchange, response: Response) => Response) {
  const kept = yield* KeptAnswers
  const revisions = yield* RecordRevision
  const count = yield* publicReads

  /** Both forms in which an answer leaves, but for what belongs to one request alone. */
  const forms = new WeakMap<Response, { readonly whole: Response; readonly unchanged: Response }>()
  const formsOf = (exchange: Exchange, answer: Response) => {
    const known = forms.get(answer)
    if (known !== undefined) return known
    const form = (ifNoneMatch?: string) => finish(exchange, withCaching(exchange, ifNoneMatch, answer))
    const made = { whole: form(), unchanged: form("*") }
    forms.set(answer, made)
    return made
  }

  return Effect.fnUntraced(function* (exchange: Exchange, request: Request) {
    const operation = exchange.route?.kept
    if (operation === undefined || !presentsNothing(operation, request)) return undefined
    const revision = yield* revisions.known
    if (revision === undefined) return undefined
    const { key } = keptPlace(operation, request.url, { revision, now: exchange.startedAt })
    const answer = kept.get(key(codingOf(request)))
    if (answer === undefined) return undefined

    const { headers, refusal } = yield* count(request)
    if (refusal !== undefined) return { refusal }
    yield* countAnswer("kept")
    const { unchanged, whole } = formsOf(exchange, answer)
    const form = hasFresh(request.headers["if-none-match"], whole.headers.etag) ? unchanged : whole
    const sent = withRequestId(exchange, HttpServerResponse.setHeaders(form, headers))
    yield* measureRequest(exchange, sent)
    yield* logAccess(exchange, sent)
    return { sent }
  })
})
