import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { CurrentViewer } from "../api/access.ts"
import { wire } from "../failures/failures.ts"
import { requireSession } from "../services/accounts/access.ts"
import type { Visitor } from "../services/clips/clip-counters.ts"
import { clientNetwork } from "./client-network.ts"

/** The signed-in account, for operations that need a session. */
export const reader = Effect.flatMap(CurrentViewer, (viewer) => Effect.mapError(requireSession(viewer), wire))

/** The viewer of a shared clip, for counting visits. */
export const visitor = Effect.gen(function* () {
  const viewer = yield* CurrentViewer
  const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  return {
    account: viewer._tag === "Reader" ? viewer.accountId : undefined,
    network: clientNetwork(remoteAddress),
    userAgent: headers["user-agent"]
  } satisfies Visitor
})
