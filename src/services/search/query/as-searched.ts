import { Effect } from "effect"
import { dbDies, type ReadSql } from "../../../../layers/db/db.ts"
import type { BrowseQuery } from "../../../../schema/browse-query.ts"
import { questionIn } from "../../../text/question.ts"
import { given } from "../../wire.ts"
import { timesOnRecord, withinWords } from "../corrections/let-go.ts"
import { withTypedDates } from "./typed-dates.ts"

/**
 * A query without the date among its words, which is a filter; of a question, the subject; and without words beyond
 * those that may be sought.
 */
export const asSearched = Effect.fnUntraced(function* (db: ReadSql, asked: BrowseQuery) {
  const { query, dates } = yield* withTypedDates(asked)
  const question = query.exact === "1" ? undefined : questionIn(query.q ?? "")
  const { q, dropped, typed } = yield* withinWords(question?.subject ?? query.q ?? "", timesOnRecord(db))
  return {
    query: query.q === undefined ? query : { ...query, q },
    /** The words as they were typed, without the date. */
    typed: query.q ?? "",
    dates,
    dropped: [...(question?.dropped ?? []), ...dropped],
    unwritten: { ...given("helpful", question?.helpful), ...given("typed", typed) }
  }
}, dbDies)
