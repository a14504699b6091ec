import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { AgentAccess, CurrentAgent } from "../../api/agent/access.ts"
import { invalidRequest } from "../../api/errors/common.ts"
import { wire } from "../../failures/failures.ts"
import {
  AgentTokenInvalid,
  AgentTokenRequired,
  AgentTokens,
  requireRun
} from "../../services/operators/agent-tokens.ts"
import { problemResponse } from "../problem.ts"
import { withWellFormedBody } from "./well-formed.ts"

/** An agent token anywhere in a query, whatever its parameter is called (RFC 6750, section 5.3). */
const inQuery = /[?&;](?:access_token=|[^&]*cr_agent_)/i

const tokenInAddress = invalidRequest(
  "The address",
  "holds an agent token, and addresses end up in logs",
  "Send the token in the Authorization header alone, and have an operator revoke the one that was sent."
)

/**
 * Credentials are checked before anything else: first the token, then whether it may change this run, and only then the
 * rest of the request. Sessions, grants and cookies mean nothing here, and agent tokens mean nothing anywhere else.
 */
export const AgentAccessLive = Layer.effect(
  AgentAccess,
  Effect.map(
    AgentTokens,
    (tokens) => (handler) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "") ?? []
        if (token === undefined) return problemResponse(wire(new AgentTokenRequired()))
        const agent = yield* tokens.holder(token)
        if (Option.isNone(agent)) return problemResponse(wire(new AgentTokenInvalid()))
        if (inQuery.test(request.url)) return problemResponse(tokenInAddress)
        const admitted = Effect.provideService(withWellFormedBody(handler), CurrentAgent, agent.value)
        if (request.method === "GET" || request.method === "HEAD") return yield* admitted
        const { runId = "" } = yield* HttpRouter.params
        return yield* Effect.matchEffect(requireRun(agent.value, runId), {
          onFailure: (refused) => Effect.succeed(problemResponse(wire(refused))),
          onSuccess: () => admitted
        })
      })
  )
)
