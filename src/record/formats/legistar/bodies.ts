import type { BundleAgency, BundlePlace } from "../../../../schema/bundle.ts"
import type { Origin } from "../item.ts"
import { agencyOf } from "../row.ts"
import { tidy } from "../text.ts"
import type { LegistarHeader } from "./event.ts"

interface Seen {
  readonly origin: Origin
  readonly place: BundlePlace
  /** Each of its names, with the last day on which it had that name. */
  readonly names: Map<string, string>
}

/** The bodies of a file of events, collected on the first pass. */
export interface Bodies {
  readonly seen: Map<string, Seen>
}

export const noBodies = (): Bodies => ({ seen: new Map() })

/** The key of an event's body: its number, if it has one. */
export const bodyKey = (event: LegistarHeader, place: BundlePlace): string =>
  `${place.slug} ${event.BodyID ?? tidy(event.BodyName).toLowerCase()}`

export const addBody = (bodies: Bodies, event: LegistarHeader, place: BundlePlace, origin: Origin): void => {
  const key = bodyKey(event, place)
  const body = bodies.seen.get(key) ?? { origin, place, names: new Map<string, string>() }
  const name = tidy(event.BodyName)
  const day = event.Date ?? ""
  if (day >= (body.names.get(name) ?? "")) body.names.set(name, day)
  bodies.seen.set(key, body)
}

const newestFirst = (names: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...names].toSorted(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0)).map(([name]) => name)

/** A body, with the first line that names it. */
interface KnownBody {
  readonly origin: Origin
  readonly agency: BundleAgency
}

/**
 * The bodies by their key. A renamed body has its newest name and also answers at its older slugs; numbers that share a
 * name and a place are one body.
 */
export const settleBodies = ({ seen }: Bodies): ReadonlyMap<string, KnownBody> => {
  const named = [...seen].map(([key, body]) => {
    const [name = "", ...older] = newestFirst(body.names)
    const retired = older.map((old) => agencyOf({ name: old }, body.place).slug)
    return {
      key,
      origin: body.origin,
      retired,
      agency: agencyOf({ name }, body.place),
      newest: body.names.get(name) ?? ""
    }
  })
  const live = new Set(named.map(({ agency }) => agency.slug))
  const groups = Map.groupBy(named, ({ agency }) => agency.slug)
  return new Map(
    [...groups.values()].flatMap((group) => {
      const [first] = group
      const newest = group.reduce((best, one) => (one.newest > best.newest ? one : best))
      const retired = [...new Set(group.flatMap((one) => one.retired))].filter((slug) => !live.has(slug))
      const agency = { ...newest.agency, ...(retired.length === 0 ? {} : { retired_slugs: retired }) }
      return group.map(({ key }) => [key, { origin: (first ?? newest).origin, agency }] as const)
    })
  )
}
