import type { SearchExcess } from "../../../schema/search-budget.ts"
import { type InvalidRequest, Unavailable } from "./classes.ts"
import { errorBody, invalidRequest } from "./common.ts"

const excesses = {
  words: { has: "words", of: "a search", leaveOut: "words" },
  phrases: { has: "phrases in quotes", of: "a search", leaveOut: "phrases" },
  words_of_phrase: { has: "words in one phrase", of: "a phrase", leaveOut: "words of the phrase" }
} as const satisfies Record<SearchExcess["what"], unknown>

/** `field` is where the search was sent: `q`, or the `query` of a saved search. Without an excess it took too long. */
export const searchOverBudget = (field: string, excess: SearchExcess | undefined): InvalidRequest => {
  if (excess === undefined) {
    return invalidRequest(
      field,
      "costs more than a search may: its words are said too often in too much of the record",
      "Leave out the most common words, or narrow the search by place_slug, agency_slug or year, and send it again."
    )
  }
  const { has, of, leaveOut } = excesses[excess.what]
  return invalidRequest(
    field,
    `has ${excess.found} ${has}, and ${of} has at most ${excess.most}`,
    `Leave out ${excess.found - excess.most} ${leaveOut}, and send the search again.`
  )
}

export const searchesBusy = (retryAfter: number) =>
  new Unavailable(
    errorBody(
      "unavailable",
      "Too many searches are running at the moment.",
      `Wait ${retryAfter} seconds, as Retry-After says, and send the search again.`
    )
  )
