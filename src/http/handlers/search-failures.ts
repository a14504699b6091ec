import { Effect } from "effect"
import { searchesBusy, searchOverBudget } from "../../api/errors/search.ts"
import type { SearchesBusy, SearchOverBudget } from "../../services/search/query-budget.ts"
import { answerWithHeaders, retryAfterSeconds } from "../problem.ts"

/** 400 for a search that costs too much, in the `field` where it was sent; 503 where too many are running. */
export const wireSearch = (field: string) => ({
  SearchOverBudget: ({ excess }: SearchOverBudget) => Effect.fail(searchOverBudget(field, excess)),
  SearchesBusy: (_: SearchesBusy) =>
    Effect.andThen(
      answerWithHeaders({ "retry-after": String(retryAfterSeconds) }),
      Effect.fail(searchesBusy(retryAfterSeconds))
    )
})
