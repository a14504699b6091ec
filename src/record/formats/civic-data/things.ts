import { Result, Schema } from "effect"
import { tolerantDecoder } from "../decode.ts"
import { isJsonObject, type JsonObject } from "../format.ts"
import { tidy } from "../text.ts"

/**
 * What Popolo and Open Civic Data, which is made of it, know about people, bodies, bills and votes. Fields of both are
 * read by one schema each: `id` and `_id`, an object or its id.
 */
const optional = Schema.optionalKey
const text = optional(Schema.NullOr(Schema.String))
const listOf = <S extends Schema.Constraint>(one: S) => optional(Schema.NullOr(Schema.Array(one)))
const ids = { id: text, _id: text }

/** Something that a record refers to: the object, its id, or a pseudo id (`~{"name": "City Council"}`). */
const Ref = optional(
  Schema.NullOr(
    Schema.Union([
      Schema.String,
      Schema.Struct({ ...ids, name: text, identifier: text, classification: optional(Schema.Unknown) })
    ])
  )
)
const Link = Schema.Struct({ url: text, note: text })
const Document = Schema.Struct({ note: text, url: text, links: listOf(Link) })
const listed = listOf(Schema.String)

const Post = Schema.Struct({ ...ids, label: text, role: text, organization_id: text, division_id: text })

const Membership = Schema.Struct({
  ...ids,
  person_id: text,
  person: Ref,
  person_name: text,
  organization_id: text,
  organization: Ref,
  post_id: text,
  post: optional(Schema.NullOr(Schema.Union([Schema.String, Post]))),
  role: text,
  label: text,
  start_date: text,
  end_date: text,
  on_behalf_of_id: text,
  area_id: text,
  legislative_period_id: text
})

const Person = Schema.Struct({
  ...ids,
  name: Schema.String,
  sort_name: text,
  given_name: text,
  family_name: text,
  other_names: listOf(Schema.Struct({ name: text })),
  image: text,
  links: listOf(Link),
  sources: listOf(Link),
  memberships: listOf(Membership)
})

const Organization = Schema.Struct({ ...ids, name: Schema.String, classification: text, posts: listOf(Post) })

/** An area of Popolo, or a legislative period among its events. */
const Area = Schema.Struct({ ...ids, name: text })
const Period = Schema.Struct({ ...ids, classification: text, start_date: text, end_date: text })

const Bill = Schema.Struct({
  ...ids,
  identifier: Schema.String,
  title: Schema.String,
  legislative_session: optional(Schema.Unknown),
  classification: listed,
  from_organization: Ref,
  from_organization_id: text,
  sponsorships: listOf(
    Schema.Struct({
      name: text,
      entity_type: text,
      person_id: text,
      person: Ref,
      primary: optional(Schema.NullOr(Schema.Boolean))
    })
  ),
  actions: listOf(
    Schema.Struct({
      date: text,
      description: text,
      classification: listed,
      organization: Ref,
      organization_id: text
    })
  ),
  abstracts: listOf(Schema.Struct({ abstract: text })),
  documents: listOf(Document),
  versions: listOf(Document),
  sources: listOf(Link)
})

const Vote = Schema.Struct({
  ...ids,
  identifier: text,
  motion_text: text,
  /** Popolo's name for it. */
  text: text,
  start_date: text,
  date: text,
  result: text,
  organization: Ref,
  organization_id: text,
  bill: Ref,
  bill_id: text,
  bill_identifier: text,
  bill_action: text,
  counts: listOf(Schema.Struct({ option: Schema.String, value: Schema.Int })),
  votes: listOf(
    Schema.Struct({
      option: Schema.String,
      voter_name: text,
      voter_id: text,
      voter: Ref,
      note: text
    })
  ),
  sources: listOf(Link)
})

export type Ref = typeof Ref.Type | undefined
export type Post = typeof Post.Type
export type Membership = typeof Membership.Type
export type Person = typeof Person.Type
export type Organization = typeof Organization.Type
export type Bill = typeof Bill.Type
export type Vote = typeof Vote.Type

/** Decoders by kind. An optional part of the wrong shape costs only that part. */
export const decode = {
  person: tolerantDecoder(Person),
  organization: tolerantDecoder(Organization),
  post: tolerantDecoder(Post),
  membership: tolerantDecoder(Membership),
  area: tolerantDecoder(Area),
  period: tolerantDecoder(Period),
  bill: tolerantDecoder(Bill),
  vote: tolerantDecoder(Vote)
}

/** A record of a kind, as it is written; `at` is its path in the document. */
export interface Thing {
  readonly kind: keyof typeof decode | "event"
  readonly at: string
  readonly value: JsonObject
}

const types: Readonly<Record<string, Thing["kind"]>> = {
  person: "person",
  organization: "organization",
  post: "post",
  membership: "membership",
  bill: "bill",
  vote: "vote",
  vote_event: "vote",
  event: "event"
}

/** The kind of an object of Open Civic Data: by its `_type`, its id, or its fields. */
export const kindOf = (value: JsonObject): Thing["kind"] | undefined => {
  const named = types[String(value._type)] ?? types[/^ocd-([a-z]+)\//.exec(String(value._id ?? value.id))?.[1] ?? ""]
  if (named !== undefined) return named
  const has = (...keys: ReadonlyArray<string>) => keys.every((key) => key in value)
  if (has("motion_text", "votes")) return "vote"
  if (has("identifier", "sponsorships")) return "bill"
  if (has("person_id", "organization_id")) return "membership"
  return undefined
}

const lists: ReadonlyArray<readonly [list: string, kind: Thing["kind"]]> = [
  ["organizations", "organization"],
  ["persons", "person"],
  ["areas", "area"],
  ["posts", "post"],
  ["memberships", "membership"],
  ["events", "period"],
  ["vote_events", "vote"]
]

const objectsIn = (value: unknown): ReadonlyArray<readonly [number, JsonObject]> =>
  Array.isArray(value) ? value.flatMap((one: unknown, at) => (isJsonObject(one) ? [[at, one] as const] : [])) : []

/** The things in a Popolo document. A motion is its vote events, with what it says for all of them. */
const thingsIn = (document: JsonObject): ReadonlyArray<Thing> => {
  const motions = objectsIn(document.motions)
  const motionOf = new Map(motions.map(([, motion]) => [motion.id, motion]))
  return [
    ...lists.flatMap(([list, kind]) =>
      objectsIn(document[list]).map(([at, value]) => ({
        kind,
        at: `${list}.${at}`,
        value: kind === "vote" ? { ...motionOf.get(value.motion_id), ...value } : value
      }))
    ),
    ...motions.flatMap(([at, motion]) =>
      objectsIn(motion.vote_events).map(([nth, event]) => ({
        kind: "vote" as const,
        at: `motions.${at}.vote_events.${nth}`,
        value: { ...motion, id: `${String(motion.id ?? "")} ${nth}`, ...event }
      }))
    )
  ]
}

export const isPopolo = (value: JsonObject): boolean =>
  ["persons", "motions", "vote_events"].some((list) => Array.isArray(value[list]))

/** The things that a record is: an object of Open Civic Data, or those of a Popolo document. */
export const thingsOf = (value: JsonObject): ReadonlyArray<Thing> => {
  if (isPopolo(value)) return thingsIn(value)
  const kind = kindOf(value)
  return kind === undefined ? [] : [{ kind, at: "", value }]
}

/** What a reference says: an id, and what a pseudo id or an object says besides. */
export const refOf = (
  ref: Ref,
  id?: string | null
): { readonly id?: string; readonly name?: string; readonly identifier?: string; readonly classification?: string } => {
  const written = typeof ref === "string" ? ref : id
  if (written?.startsWith("~")) {
    const said = Result.try((): unknown => JSON.parse(written.slice(1)))
    return Result.isSuccess(said) && isJsonObject(said.success) ? fieldsOf(said.success) : {}
  }
  return {
    ...(typeof ref === "object" && ref !== null ? fieldsOf({ ...ref }) : {}),
    ...(written ? { id: written } : {})
  }
}

const fieldsOf = (said: JsonObject) =>
  Object.fromEntries(
    (["id", "name", "identifier", "classification"] as const).flatMap((key) => {
      const value = said[key] ?? (key === "id" ? said._id : undefined)
      return typeof value === "string" && tidy(value) !== "" ? [[key, tidy(value)]] : []
    })
  )

/** The id of a thing; undefined for none. */
export const idOf = ({ id, _id }: { readonly id?: string | null; readonly _id?: string | null }) =>
  id || _id || undefined
