import type { BundleMembership, BundlePerson } from "../../../../schema/bundle-people.ts"
import { membershipId } from "../ids.ts"
import { found, type Item, type Origin, rejected, warning } from "../item.ts"
import { memberRole } from "../legistar/decisions.ts"
import { tidy, webAddress } from "../text.ts"
import { dayFrom } from "./days.ts"
import type { Settled } from "./directory.ts"
import { idOf, type Membership, type Person, refOf } from "./things.ts"

const sortName = ({ sort_name, given_name, family_name }: Person): string => {
  const [family, given] = [tidy(family_name), tidy(given_name)]
  return tidy(sort_name) || (family !== "" && given !== "" ? `${family}, ${given}` : family)
}

export const personItems = (one: Person, settled: Settled, origin: Origin): ReadonlyArray<Item> => {
  const name = tidy(one.name)
  if (name === "") return [rejected(origin, "name", "is empty; write the person's name")]
  const others = (one.other_names ?? []).map((other) => tidy(other.name))
  const otherNames = [...new Set(others)].filter((other) => other !== "" && other !== name)
  const [sorted, image] = [sortName(one), webAddress(one.image)]
  const page = [...(one.links ?? []), ...(one.sources ?? [])].flatMap(({ url }) => webAddress(url) ?? [])[0]
  const person: BundlePerson = {
    type: "person",
    slug: settled.slugOfPerson(one),
    place: settled.place.slug,
    name,
    ...(sorted === "" ? {} : { sort_name: sorted }),
    ...(otherNames.length === 0 ? {} : { other_names: otherNames }),
    ...(image === undefined ? {} : { image_url: image }),
    ...(page === undefined ? {} : { source_url: page })
  }
  return [found(origin, person)]
}

/** `Ward 12` of `ocd-division/country:us/state:il/place:chicago/ward:12`. */
const districtOf = (division: string | null | undefined): string | undefined => {
  const [, kind, name] = /\/(?:council_|supervisor_)?(ward|district|precinct|seat):([^/]+)$/.exec(division ?? "") ?? []
  return kind === undefined || name === undefined
    ? undefined
    : `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} ${name.toUpperCase()}`
}

/**
 * The seat that a membership is, in the body it names. Membership in a party is none; the party that somebody holds a
 * seat for is told with the seat.
 */
export const seatItems = (one: Membership, settled: Settled, origin: Origin, holder?: Person): ReadonlyArray<Item> => {
  const organization = settled.organizationOf(one.organization, one.organization_id)
  const who = refOf(one.person, one.person_id)
  const name = tidy(holder?.name) || who.name || tidy(one.person_name)
  const person = holder === undefined ? settled.whoIs(who.id, name) : settled.slugOfPerson(holder)
  if (person === undefined)
    return [rejected(origin, "person_id", "is none of the people in the source; add the person, or write person_name")]
  if (organization === undefined)
    return [rejected(origin, "organization_id", "is none of the organizations in the source; add the organization")]
  if (settled.isParty(organization)) return []
  const post = typeof one.post === "object" && one.post !== null ? one.post : settled.postOf(one.post ?? one.post_id)
  const period = settled.periodOf(one.legislative_period_id)
  const [start, end] = [dayFrom(one.start_date || period?.start, "start"), dayFrom(one.end_date || period?.end, "end")]
  const label = tidy(one.label) || tidy(post?.label) || tidy(one.role)
  const party = settled.organizationOf(undefined, one.on_behalf_of_id)?.name
  const district = settled.areaOf(one.area_id) ?? districtOf(post?.division_id)
  const agency = settled.agencyNamed(organization.name)
  const role = `${tidy(one.role)} ${label} ${tidy(post?.role)}`
  const seat: BundleMembership = {
    type: "membership",
    id: membershipId("popolo", settled.place.slug, ...(stableId(one) ?? [person, agency.slug, role, start ?? ""])),
    person,
    agency: agency.slug,
    name: organization.name,
    role: memberRole(role),
    ...(label === "" ? {} : { label }),
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(party === undefined ? {} : { party }),
    ...(district === undefined ? {} : { district })
  }
  const inverted = start !== undefined && end !== undefined && end < start
  return [
    ...(inverted ? [warning(origin, "end_date", "is before start_date; correct one of them")] : []),
    found(origin, seat)
  ]
}

/** The id that Open Civic Data keeps for something; a scraper's own changes with each run. */
export const stableId = (one: { readonly id?: string | null; readonly _id?: string | null }) => {
  const id = idOf(one)
  return id?.startsWith("ocd-") ? [id] : undefined
}
