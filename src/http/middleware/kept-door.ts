import { Clock, Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { countAnswer } from "../../../layers/telemetry/metrics.ts"
import type { WireError } from "../../api/errors/classes.ts"
import { RecordRevision } from "../../services/feed/record-revision.ts"
import type { ContentCoding } from "../../services/meetings/transcripts.ts"
import { codingOf } from "../content-coding.ts"
import { type Exchange, type HeaderValues, pathOf } from "../exchange.ts"
import { canonicalTarget, KeptAnswers, type KeptOperation, keptKey } from "../kept-answers.ts"
import { problemResponse } from "../problem.ts"
import { type MatchedRoute, Routes } from "../routes.ts"
import { logAccess, measureRequest } from "./access-log.ts"
import { hasFresh, withCaching } from "./caching.ts"
import { publicReads } from "./public-reads.ts"
import { requestIdOf } from "./request-id.ts"
import { malformed } from "./well-formed.ts"

type Response = HttpServerResponse.HttpServerResponse

/** A request, as far as a kept answer can depend on it; its target with the plain names of its parameters. */
export type Presented = Pick<HttpServerRequest.HttpServerRequest, "method" | "remoteAddress" | "source" | "url"> & {
  readonly headers: HeaderValues
}

/** A kept answer as it leaves: in a form that it always has, with headers of its own. */
export interface FromDoor {
  readonly form: Response
  readonly own: Readonly<Record<string, string>>
  /** For after the answer: measures and logs it. */
  readonly record: Effect.Effect<void>
}

/**
 * Whether nothing about a request but its target and its coding can make a difference to the answer: it reads, it has no
 * body, and, where the viewer decides, it presents neither a cookie nor a parameter that could be a grant.
 */
const presentsNothing = ({ isPublic }: KeptOperation, { headers, method, url }: Presented): boolean =>
  (method === "GET" || method === "HEAD") &&
  headers["content-length"] === undefined &&
  headers["transfer-encoding"] === undefined &&
  (isPublic || (headers.cookie === undefined && !url.includes("?")))

/** What a target, a Host and an Accept-Encoding mean, whenever and by whomever they are sent. */
interface Meaning {
  readonly route: MatchedRoute
  readonly operation: KeptOperation
  readonly path: string
  readonly target: string
  readonly coding: ContentCoding
}

/** How many meanings are remembered, and how long the text that has one may be. */
const remembered = { most: 2000, longest: 1000 }

const meanings = (routes: Routes["Service"]) => {
  const known = new Map<string, Meaning>()

  const read = (request: Presented): Meaning | undefined => {
    const route = routes.match(request.method, request.url)
    if (route?.kept === undefined || malformed(request) !== undefined) return undefined
    const target = canonicalTarget(route.kept, request.url)
    return { route, operation: route.kept, path: pathOf(request.url), target, coding: codingOf(request) }
  }

  return (request: Presented): Meaning | undefined => {
    const { headers, method, url } = request
    const text = `${method} ${headers.host} ${headers["accept-encoding"]} ${url}`
    const found = known.get(text)
    if (found !== undefined) return found
    const meaning = read(request)
    if (meaning !== undefined && text.length <= remembered.longest) {
      if (known.size >= remembered.most) known.clear()
      known.set(text, meaning)
    }
    return meaning
  }
}

/**
 * The early door to the kept answers: such a request does not pass the router, the middleware and the handler of its
 * operation. Everything else that happens to a request happens here too: it is counted against its address, answered with
 * 304 if the caller has this version, or refused past its limit. `finish` is what the edge does to the headers of any response.
 *
 * Undefined is any other request, an answer that is not kept, and a moment at which the database would have to be asked
 * for the revision: those take the long way, on which `KeepsAnswers` finds or keeps the answer.
 */
export const keptDoor = Effect.fnUntraced(function* (finish: (exchange: Exchange, response: Response) => Response) {
  const kept = yield* KeptAnswers
  const revisions = yield* RecordRevision
  const count = yield* publicReads
  const meaningOf = meanings(yield* Routes)

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

  const formFor = (exchange: Exchange, ifNoneMatch: string | undefined, answer: Response) => {
    const { unchanged, whole } = formsOf(exchange, answer)
    return hasFresh(ifNoneMatch, whole.headers.etag) ? unchanged : whole
  }

  /** Short, so never compressed; that it could be is what the long way says. */
  const refused = (exchange: Exchange, refusal: WireError) =>
    finish(exchange, HttpServerResponse.setHeader(problemResponse(refusal), "vary", "Accept-Encoding"))

  return Effect.fnUntraced(function* (request: Presented, requestId = requestIdOf(request.headers["x-request-id"])) {
    const meaning = meaningOf(request)
    if (meaning === undefined || !presentsNothing(meaning.operation, request)) return undefined
    const revision = yield* revisions.known
    if (revision === undefined) return undefined
    const now = yield* Clock.currentTimeMillis
    const answer = kept.get(keptKey(meaning.operation, meaning, { revision, now }))
    if (answer === undefined) return undefined

    const exchange: Exchange = {
      requestId,
      method: request.method,
      path: meaning.path,
      contentType: undefined,
      route: meaning.route,
      startedAt: now
    }
    const { headers, refusal } = yield* count(request)
    if (refusal === undefined) yield* countAnswer("kept")
    const form =
      refusal === undefined ? formFor(exchange, request.headers["if-none-match"], answer) : refused(exchange, refusal)
    const door: FromDoor = {
      form,
      own: { ...headers, "x-request-id": requestId },
      record: Effect.andThen(measureRequest(exchange, form), logAccess(exchange, form))
    }
    return door
  })
})
