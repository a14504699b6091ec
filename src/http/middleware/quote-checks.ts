import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { RateLimits } from "../../../layers/rate-limits.ts"
import { CurrentViewer } from "../../api/access.ts"
import { clientNetwork } from "../client-network.ts"
import { countRequest } from "./public-reads.ts"

const policy = { name: "quote-check", limit: 30, windowSeconds: 60 }

/** Counts one check of a quote, by account or by the client's address, whichever door it comes through. */
export const countingQuoteChecks = Effect.map(RateLimits, (limits) =>
  Effect.gen(function* () {
    const viewer = yield* CurrentViewer
    if (viewer._tag === "Reader") return yield* countRequest(limits, policy, viewer.accountId, "account")
    const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    return yield* countRequest(limits, policy, clientNetwork(remoteAddress), "address")
  })
)
