import { randomUUID } from "node:crypto"
import { Context, Data, DateTime, Effect, Layer, Schema } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AccountId } from "../../../schema/primitives.ts"
import {
  BrowseQueryText,
  type SavedSearch,
  type SavedSearches as SavedSearchList,
  type SaveSearchRequest,
  savedSearchLimit
} from "../../../schema/saved-search.ts"
import { type NotFound, savedSearchNotFound } from "../failures.ts"
import { matterActions, newVotes } from "../meetings/matter-actions.ts"
import { idOf } from "../meetings/sql.ts"
import { Browse } from "../search/browse.ts"
import { canonicalQuery, followedMatters, followedPeople, nameOfQuery } from "../search/query/canonical-query.ts"
import { type SearchesBusy, SearchOverBudget } from "../search/query/query-budget.ts"

/** More searches than an account may save. */
export class TooManySearches extends Data.TaggedError("TooManySearches")<{ readonly limit: number }> {}

interface SearchRow {
  readonly id: string
  readonly name: string
  readonly query: string
  readonly created_at: Date
}

/** The page with the results of a search. */
export const pathOfQuery = (query: string): string => (query === "" ? "/browse" : `/browse?${query}`)

const searchOf = ({ id, name, query, created_at }: SearchRow): SavedSearch => ({
  id,
  name,
  query,
  path: pathOfQuery(query),
  created_at: created_at.toISOString()
})

const write = Schema.encodeEffect(BrowseQueryText)

/** Browse queries that readers save, to be notified of new results. */
export class SavedSearches extends Context.Service<
  SavedSearches,
  {
    /** Newest first. */
    readonly list: (account: AccountId) => Effect.Effect<SavedSearchList>
    /**
     * Saves a search; its current results are not news. The same query again is the same search, renamed if a name is
     * given.
     */
    readonly save: (
      account: AccountId,
      request: SaveSearchRequest
    ) => Effect.Effect<
      { readonly search: SavedSearch; readonly isNew: boolean },
      TooManySearches | SearchOverBudget | SearchesBusy
    >
    readonly remove: (account: AccountId, id: string) => Effect.Effect<void, NotFound>
  }
>()("civic-record/SavedSearches") {
  static readonly layer = Layer.effect(
    SavedSearches,
    Effect.gen(function* () {
      const db = yield* Db
      const browse = yield* Browse

      const list = Effect.fn("SavedSearches.list")(function* (account: AccountId) {
        const rows = yield* db<SearchRow>`
          select id, name, query, created_at from saved_search where account_id = ${account} order by created_at desc, id`
        return { saved_searches: rows.map(searchOf) }
      }, dbDies)

      const save = Effect.fn("SavedSearches.save")(function* (
        account: AccountId,
        { query: asked, name }: SaveSearchRequest
      ) {
        const canonical = canonicalQuery(asked)
        const query = yield* Effect.orDie(write(canonical))
        const now = DateTime.formatIso(yield* DateTime.now)
        // Before the account is locked: meetings that come on record in between are news.
        const seen = yield* browse
          .found(canonical)
          .pipe(Effect.catchTag("SearchOverBudget", (over) => new SearchOverBudget({ ...over, field: "query" })))
        const actions = yield* matterActions(db, followedMatters(canonical))
        const people = followedPeople(canonical)
        const votes = people.length === 0 ? [] : yield* newVotes(db, people, now)
        return yield* db.withTransaction(
          Effect.gen(function* () {
            // Of two concurrent saves, the second sees the first.
            yield* db`select from account where id = ${account} for update`
            const [kept] = yield* db<SearchRow>`
              update saved_search set name = coalesce(${name?.trim() ?? null}::text, name)
              where account_id = ${account} and query = ${query} returning id, name, query, created_at`
            if (kept !== undefined) return { search: searchOf(kept), isNew: false }
            const held = yield* db`select from saved_search where account_id = ${account}`
            if (held.length >= savedSearchLimit) return yield* new TooManySearches({ limit: savedSearchLimit })
            const [added] = yield* db<SearchRow>`
              insert into saved_search (id, account_id, name, query, created_at, seen_until, seen, seen_actions)
              values (${randomUUID()}, ${account}, ${name?.trim() ?? nameOfQuery(canonical)}, ${query}, ${now}, ${now},
                ${seen}::uuid[], ${[...actions, ...votes].map(({ key }) => key)}::text[])
              returning id, name, query, created_at`
            return added === undefined
              ? yield* Effect.die("nothing was inserted")
              : { search: searchOf(added), isNew: true }
          })
        )
      }, dbDies)

      const remove = Effect.fn("SavedSearches.remove")(function* (account: AccountId, id: string) {
        const gone = yield* db`delete from saved_search where account_id = ${account} and id = ${idOf(id)} returning id`
        if (gone.length === 0) return yield* savedSearchNotFound(id)
      }, dbDies)

      return { list, save, remove }
    })
  ).pipe(Layer.provide(Browse.fromPrimary))
}
