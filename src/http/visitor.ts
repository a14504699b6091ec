import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { CurrentViewer } from "../api/access.ts"
import type { Visitor } from "../services/clips/clip-counters.ts"
import { clientNetwork } from "./client-network.ts"

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
