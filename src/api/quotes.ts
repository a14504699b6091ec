import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { fewestQuoteWords, longestQuote, QuoteCheck, QuoteCheckRequest } from "../../schema/quote.ts"
import { Access } from "./access.ts"
import { Forbidden, Internal, RateLimited, Unavailable } from "./errors/classes.ts"
import { NamesBadFields } from "./middleware.ts"
import { anyoneOrReader, Security } from "./security.ts"

/** A group of its own, because it has its own rate limit: a check must not become a way to spell out a transcript. */
export const QuotesGroup = HttpApiGroup.make("quotes")
  .add(
    HttpApiEndpoint.post("check", "/api/quotes/check", {
      payload: QuoteCheckRequest,
      success: QuoteCheck,
      error: [Forbidden, RateLimited, Internal, Unavailable]
    })
      .annotate(Security, anyoneOrReader)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "checkQuote",
          summary: "Check a quote",
          description: `Says whether a quote of ${fewestQuoteWords} words to ${longestQuote} characters was said: word for word, nearly so, in parts, or not in the meetings searched, with the meeting and the second. A changed number, name or negation is never \`exact\` or \`nearly\`. Nothing is called false: \`coverage\` says where it was looked for, and how many meetings there have no transcript. With a session, or a share grant for the meeting, a hit has the words that were said, the speaker and the similarity, too. This operation has its own rate limit of 30 requests per minute and account, or client address.`
        })
      )
  )
  .middleware(Access)
  .middleware(NamesBadFields)
  .annotateMerge(OpenApi.annotations({ title: "Quotes", description: "Whether something was said, and where." }))
