import { Effect, Schema } from "effect"
import { QuoteCheckRequest } from "../../../schema/quote.ts"
import { wire } from "../../failures/failures.ts"
import { readerTokenHeader } from "../../pages/parts/reader-token-header.ts"
import { QuoteChecks } from "../../services/search/quotes/quote-check.ts"
import { viewerOf } from "./read-meeting.ts"
import { type Tool, tool } from "./tool.ts"

/** `check_quote`: whether something was said; the words that were said are for callers with a reader's token. */
export const checkQuote: Tool = {
  ...tool(
    "check_quote",
    "Check a quote",
    `Whether something was said in a meeting: exact, nearly, in parts, or not_found in the meetings searched, with the meeting and the second. Not found never means that it was not said. With a reader's token (header ${readerTokenHeader}) also the words that were said.`,
    Schema.Struct(QuoteCheckRequest.fields),
    (request, token) =>
      Effect.gen(function* () {
        const data = yield* (yield* QuoteChecks).check(request, yield* viewerOf(token, undefined))
        return { data, text: data.hint }
      }).pipe(Effect.mapError(wire))
  ),
  isQuoteCheck: true
}
