import { Effect } from "effect"
import { Directory } from "../../services/directory/directory.ts"

/**
 * The body with this segment at this place, or its successor if a merge or a rename took this address from it (spec
 * section 2).
 */
export const bodyAt = Effect.fnUntraced(function* (place: string, segment: string) {
  const directory = yield* Directory
  return yield* Effect.catchTag(directory.agencyAt(place, segment), "NotFound", () =>
    directory.agency(segment).pipe(
      Effect.catchTag("NotFound", () => directory.agency(`${place}-${segment}`)),
      Effect.map(({ path }) => ({ movedTo: path }))
    )
  )
})
