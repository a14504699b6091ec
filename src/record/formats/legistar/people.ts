import { Schema } from "effect"
import type { BundlePlace } from "../../../../schema/bundle.ts"
import type { BundleMembership, BundlePerson } from "../../../../schema/bundle-people.ts"
import type { Format } from "../format.ts"
import { membershipId } from "../ids.ts"
import { found, type Item, type Origin, rejected, warning } from "../item.ts"
import { agencyOf } from "../row.ts"
import { tidy, webAddress } from "../text.ts"
import { dayOf, memberRole, personSlug, readRecords } from "./decisions.ts"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))

const LegistarPerson = Schema.Struct({
  ID: Schema.Int,
  Slug: text,
  FullName: Schema.String,
  FirstName: text,
  LastName: text,
  WWW: text,
  OfficeRecords: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(
        Schema.Struct({
          ID: Schema.Int,
          BodyName: Schema.String,
          MemberType: text,
          Title: text,
          Start: text,
          End: text
        })
      )
    )
  )
})

const itemsOf = (
  { FullName, FirstName, LastName, WWW, OfficeRecords, ...rest }: typeof LegistarPerson.Type,
  place: BundlePlace,
  origin: Origin
): ReadonlyArray<Item> => {
  const name = tidy(FullName)
  if (name === "") return [rejected(origin, "FullName", "is empty; write the person's name")]
  const slug = personSlug(place, { ...rest, FullName: name })
  const [first, last, address] = [tidy(FirstName), tidy(LastName), webAddress(WWW)]
  const person: BundlePerson = {
    type: "person",
    slug,
    place: place.slug,
    name,
    ...(last === "" ? {} : { sort_name: first === "" ? last : `${last}, ${first}` }),
    ...(address === undefined ? {} : { source_url: address })
  }
  const offices = (OfficeRecords ?? []).map((office): BundleMembership | undefined => {
    const body = tidy(office.BodyName)
    if (body === "") return undefined
    const [title, start, end] = [tidy(office.Title), dayOf(office.Start), dayOf(office.End)]
    const label = title || tidy(office.MemberType)
    return {
      type: "membership",
      id: membershipId("legistar", place.slug, String(office.ID)),
      person: slug,
      agency: agencyOf({ name: body }, place).slug,
      name: body,
      role: memberRole(`${title} ${tidy(office.MemberType)}`),
      ...(label === "" ? {} : { label }),
      ...(start === undefined ? {} : { start }),
      ...(end === undefined ? {} : { end })
    }
  })
  const nameless = offices.filter((office) => office === undefined).length
  return [
    found(origin, person),
    ...(nameless === 0 ? [] : [warning(origin, "OfficeRecords", `${nameless} name no body, and are left out`)]),
    ...offices.flatMap((office) => (office === undefined ? [] : [found(origin, office)]))
  ]
}

/** The people of a Legistar site with the offices they held, one per line. */
export const legistarPeople: Format = {
  name: "people",
  about: "people of a Legistar site with their offices, one per line",
  isRecord: (record) => "FullName" in record && "OfficeRecords" in record,
  read: ([file]) => readRecords(file, LegistarPerson, [], () => undefined, itemsOf)
}
