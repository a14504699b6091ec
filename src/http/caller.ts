import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { CurrentViewer } from "../api/access.ts"
import { requireSession } from "../services/accounts/access.ts"
import type { Visitor } from "../services/clips/clip-counters.ts"
import { clientNetwork } from "./client-network.ts"
import { wire } from "./wire.ts"

/** The account that is signed in, for what needs a session. */
export const reader = Effect.flatMap(CurrentViewer, (viewer) => Effect.mapError(requireSession(viewer), wire))

/** Who opens a shared clip, as visits are counted. */
export const visitor = Effect.gen(function* () {
  const viewer = yield* CurrentViewer
  const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  return {
    account: viewer._tag === "Reader" ? viewer.accountId : undefined,
    network: clientNetwork(remoteAddress),
    userAgent: headers["user-agent"]
  } satisfies Visitor
})
