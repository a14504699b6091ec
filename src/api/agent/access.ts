import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { Forbidden, InvalidRequest, Unauthorized } from "../errors/classes.ts"
import type { Requirement } from "../security.ts"

/** Who calls: a machine with a token, and the one completion run that the token may change. */
export interface CallingAgent {
  readonly tokenId: string
  readonly machine: string
  readonly runId: string | undefined
}

/** The agent whose request is being handled. */
export class CurrentAgent extends Context.Service<CurrentAgent, CallingAgent>()("civic-record/CurrentAgent") {}

/** Admits callers with a live agent token; to an operation that changes things, only the token of its run. */
export class AgentAccess extends HttpApiMiddleware.Service<AgentAccess, { provides: CurrentAgent }>()(
  "civic-record/AgentAccess",
  { error: [Unauthorized, Forbidden, InvalidRequest] }
) {}

export const agentOnly: Requirement = [{ agent_token: [] }]
