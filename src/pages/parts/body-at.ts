import { Effect } from "effect"
import { Directory } from "../../services/directory/directory.ts"
import { bodyPath } from "../../services/meetings/refs.ts"

/**
 * The body at this address, or where it is now if a merge or a rename took the address from it (spec section 2). One
 * that serves several places is at all of them (contract section 3).
 */
export const bodyAt = Effect.fnUntraced(function* (place: string, segment: string) {
  const body = yield* Directory.use((directory) => directory.agencyAt(place, segment))
  const paths = body.places.map(({ slug }) => bodyPath(slug, body.path.slice(body.path.lastIndexOf("/") + 1)))
  return paths.includes(bodyPath(place, segment).toLowerCase()) ? body : { movedTo: body.path }
})
