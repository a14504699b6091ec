import { mostOnPage, type SearchExcess } from "../../schema/search-budget.ts"
import { invalidRequest, unavailable } from "../api/errors/common.ts"
import type { UnfitParameter } from "../services/search/found/listing.ts"
import type { SearchOverBudget } from "../services/search/query/query-budget.ts"

const excesses = {
  words: { has: "words", of: "a search", leaveOut: "words" },
  phrases: { has: "phrases in quotes", of: "a search", leaveOut: "phrases" },
  words_of_phrase: { has: "words in one phrase", of: "a phrase", leaveOut: "words of the phrase" }
} as const satisfies Record<SearchExcess["what"], unknown>

const busy = "Too many searches are running at the moment."

/** Failures of searches, run by browse or saved by a reader. */
export const searchFailures = {
  /** Without an excess, and with a page of a fair size, the search took too long. */
  SearchOverBudget: {
    api: ({ excess, isPageTooLarge = false, hasWords = true, field = "q" }: SearchOverBudget) => {
      if (isPageTooLarge) {
        return invalidRequest(
          "The page",
          `would be larger than ${mostOnPage} MB`,
          "Ask for fewer meetings by page_size or per_group, and send the search again."
        )
      }
      if (excess === undefined && !hasWords) {
        return invalidRequest(
          "The query",
          "costs more than a search may: it looks at too much of the record",
          "Narrow it by place_slug, agency_slug or year, and send it again."
        )
      }
      if (excess === undefined) {
        return invalidRequest(
          field,
          "costs more than a search may: its words are too common in too much of the record",
          "Leave out the most common words, or narrow the search by place_slug, agency_slug or year, and send it again."
        )
      }
      const { has, of, leaveOut } = excesses[excess.what]
      return invalidRequest(
        field,
        `has ${excess.found} ${has}, and ${of} may have at most ${excess.most}`,
        `Leave out ${excess.found - excess.most} ${leaveOut}, and send the search again.`
      )
    },
    form: () => ({ text: "This search looks at too much of the record to be saved. Make it narrower." }),
    command: () => "A search looked at too much of the record."
  },

  UnfitParameter: {
    api: ({ field, why, instead }: UnfitParameter) => invalidRequest(field, why, instead),
    command: ({ field, why, instead }: UnfitParameter) => `${field} ${why}. ${instead}`
  },

  SearchesBusy: {
    api: () => unavailable(busy, "send the search again"),
    form: () => ({ text: `${busy} Try again in a few seconds.` }),
    command: () => busy
  }
}
