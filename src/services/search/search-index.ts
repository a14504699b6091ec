import { Context, Effect, Layer, type Option, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import type { Sql } from "../../../layers/db.ts"
import type { Found, Wanted } from "./found.ts"

/** The search index of this process (docs/architecture.md). */
export class SearchIndex extends Context.Service<
  SearchIndex,
  {
    /**
     * What the index finds, in one snapshot of it that is kept until the scope closes. None if SQL has to look: because of
     * what is wanted, or because the index is away or does not have every change that is visible to `db`.
     */
    readonly find: (db: Sql, wanted: Wanted) => Effect.Effect<Option.Option<Found>, SqlError.SqlError, Scope.Scope>
  }
>()("civic-record/SearchIndex") {
  /** Never there: SQL answers everything. */
  static readonly none = Layer.succeed(SearchIndex, { find: () => Effect.succeedNone })
}
