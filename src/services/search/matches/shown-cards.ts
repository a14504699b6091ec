import { Array as Arr, Effect } from "effect"
import type { ReadSql } from "../../../../layers/db/db.ts"
import type { MeetingCard } from "../../../../schema/meeting.ts"
import type { SearchQuery } from "../../../../schema/search-query.ts"
import { cardsOf } from "../../meetings/cards.ts"
import { SearchOverBudget } from "../query/query-budget.ts"
import { matchesOf, type Searched } from "./matches.ts"

/** How many meetings of a page are read at a time: between two reads, other requests have their turn. */
const readAtOnce = 100

/** What was searched for, if anything. */
export interface MaySearched extends Omit<Searched, "search"> {
  readonly search: SearchQuery | undefined
}

/**
 * The cards of these meetings, with their matches if something was searched for, and whether a meeting matches only in
 * other forms than typed. At most `most` characters of JSON; `copies` is how often the response has each meeting.
 */
export const shownCards = (db: ReadSql, baseUrl: string, most: number) => {
  const matched = Effect.fnUntraced(function* (ids: ReadonlyArray<string>, { search, ...rest }: MaySearched) {
    const ofCards = cardsOf(db, ids, baseUrl)
    if (search === undefined) return { cards: yield* ofCards, isOtherwise: () => false }
    const [cards, { of, isOtherwise }] = yield* Effect.all([ofCards, matchesOf(db, ids, { search, ...rest })], {
      concurrency: 2
    })
    return { cards: cards.map((card): MeetingCard => ({ ...card, matches: of(card) })), isOtherwise }
  })

  return Effect.fnUntraced(function* (ids: ReadonlyArray<string>, searched: MaySearched, copies = 1) {
    let characters = 0
    const parts = yield* Effect.forEach(Arr.chunksOf(ids, readAtOnce), (some) =>
      Effect.filterOrFail(
        matched(some, searched),
        ({ cards }) => {
          // Card by card: V8 keeps the text of all of them for long (src/http/json-bytes.ts).
          for (const card of cards) characters += copies * (JSON.stringify(card).length + 1)
          return characters <= most
        },
        () => new SearchOverBudget({ isPageTooLarge: true })
      )
    )
    return {
      cards: parts.flatMap(({ cards }) => cards),
      isOtherwise: (card: MeetingCard) => parts.some((part) => part.isOtherwise(card))
    }
  })
}
