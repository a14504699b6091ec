import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentViewer } from "../../api/access.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { QuoteChecks } from "../../services/search/quotes/quote-check.ts"
import { countingQuoteChecks } from "../middleware/quote-checks.ts"

export const QuotesLive = HttpApiBuilder.group(
  Api,
  "quotes",
  Effect.fnUntraced(function* (handlers) {
    const quotes = yield* QuoteChecks
    const counted = yield* countingQuoteChecks
    return handlers.handleAll({
      check: Effect.fnUntraced(function* ({ payload }) {
        yield* counted
        return yield* Effect.mapError(quotes.check(payload, yield* CurrentViewer), wire)
      })
    })
  })
)
