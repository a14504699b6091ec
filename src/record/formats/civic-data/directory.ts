import type { BundleAgency, BundlePlace } from "../../../../schema/bundle.ts"
import { memberFinder } from "../../../text/roll-calls/members.ts"
import { personSlug } from "../legistar/decisions.ts"
import type { MeetingFacts } from "../row.ts"
import { agencyOf } from "../row.ts"
import { tidy } from "../text.ts"
import { idOf, type Organization, type Person, type Post, type Ref, refOf } from "./things.ts"

/** What a source says about who and what its records refer to: read once before them. */
export interface Directory {
  readonly people: Array<Person>
  readonly organizations: Map<string, Organization>
  readonly posts: Map<string, Post>
  readonly areas: Map<string, string>
  readonly periods: Map<string, { readonly start: string | null | undefined; readonly end: string | null | undefined }>
  /** The sessions in which an identifier of a bill is used. */
  readonly sessions: Map<string, Set<string>>
}

export const emptyDirectory = (): Directory => ({
  people: [],
  organizations: new Map(),
  posts: new Map(),
  areas: new Map(),
  periods: new Map(),
  sessions: new Map()
})

/** A place as Open Civic Data names it: `ocd-jurisdiction/country:us/state:il/place:park_ridge/government`. */
export const placeOfDivision = (id: unknown): MeetingFacts | undefined => {
  const [, state, kind, name = ""] =
    /country:us\/(?:state|district|territory):([a-z]{2})\/(place|county):([^/]+)/.exec(String(id)) ?? []
  if (state === undefined) return undefined
  const words = name.replace(/_/g, " ").replace(/(?<![\p{L}’'])\p{L}/gu, (letter) => letter.toUpperCase())
  return {
    place: kind === "county" ? `${words} County` : words,
    place_kind: kind === "county" ? "county" : "city",
    state: state.toUpperCase()
  }
}

/** Organizations that hold no meetings, and whose members are no officials of a body. */
const isParty = ({ classification }: { readonly classification?: string | null | undefined }) =>
  classification === "party"
const isBody = ({ classification }: { readonly classification?: string | null | undefined }) =>
  /^(|legislature|upper|lower|council|committee|subcommittee|commission|board)$/i.test(classification ?? "")

const folded = (name: string): string => tidy(name).toLowerCase()

/** Settles the names of a source at its place. */
export const settleDirectory = (directory: Directory, place: BundlePlace) => {
  const { people, organizations, posts, areas, periods, sessions } = directory
  const slugs = new Map<string, string>()
  const named = Map.groupBy(people, ({ name }) => personSlug(place, { FullName: name }))
  for (const [slug, those] of named) {
    // Two people of one name: the first by id has the plain slug, every other one that of name and id.
    const inOrder = those.toSorted((a, b) => ((idOf(a) ?? "") < (idOf(b) ?? "") ? -1 : 1))
    const others = new Set(inOrder.slice(1).map((one) => idOf(one)))
    for (const one of inOrder) {
      const id = idOf(one)
      const own = others.has(id) ? personSlug(place, { FullName: `${one.name} ${id?.slice(-8) ?? ""}` }) : slug
      if (id !== undefined) slugs.set(id, own)
    }
  }
  const slugOfPerson = (one: Person): string => slugs.get(idOf(one) ?? "") ?? personSlug(place, { FullName: one.name })
  const memberNamed = memberFinder(
    people.map((one) => ({
      slug: slugOfPerson(one),
      name: one.name,
      other_names: (one.other_names ?? []).flatMap(({ name }) => name ?? [])
    }))
  )
  const names = new Map(
    people.flatMap((one) => (idOf(one) === undefined ? [] : [[idOf(one) ?? "", one.name] as const]))
  )
  const heard = new Map<string, string | undefined>()

  /** The slug of somebody named: one of the source's people, else of the name if it is a whole one. */
  const whoIs = (id: string | undefined, name: string): string | undefined => {
    const known = slugs.get(id ?? "")
    if (known !== undefined) return known
    if (!heard.has(name)) {
      const isWhole = tidy(name).split(" ").length > 1
      heard.set(name, memberNamed(name)?.slug ?? (isWhole ? personSlug(place, { FullName: name }) : undefined))
    }
    return heard.get(name)
  }

  const byName = new Map([...organizations.values()].map((one) => [folded(one.name), one]))
  /** An organization that a record refers to: one of the source's, or a name. */
  const organizationOf = (ref: Ref, id: string | null | undefined) => {
    const said = refOf(ref, id)
    const known =
      organizations.get(said.id ?? "") ??
      byName.get(folded(said.name ?? "")) ??
      (said.name === undefined && said.classification !== undefined
        ? [...organizations.values()].find(({ classification }) => classification === said.classification)
        : undefined)
    return known ?? (said.name === undefined ? undefined : { name: said.name, classification: said.classification })
  }

  const agencyNamed = (name: string): BundleAgency => agencyOf({ name }, place)
  /** The slug of a bill: with its session where several use its number. */
  const slugOfBill = (identifier: string, session: unknown): string => {
    const several = (sessions.get(identifier)?.size ?? 0) > 1 && session !== undefined
    return several ? `${sessionName(session)} ${identifier}` : identifier
  }

  return {
    place,
    slugOfPerson,
    whoIs,
    nameOf: (id: string | undefined) => (id === undefined ? undefined : names.get(id)),
    organizationOf,
    agencyNamed,
    slugOfBill,
    isParty,
    bodies: [...organizations.values()].filter(isBody).map(({ name }) => agencyNamed(name)),
    postOf: (id: string | null | undefined) => posts.get(id ?? ""),
    areaOf: (id: string | null | undefined) => areas.get(id ?? ""),
    periodOf: (id: string | null | undefined) => periods.get(id ?? "")
  }
}
export type Settled = ReturnType<typeof settleDirectory>

/** The name of a session, which is written as text or as an object. */
export const sessionName = (session: unknown): string =>
  typeof session === "object" && session !== null && "identifier" in session
    ? String(session.identifier)
    : String(session ?? "")
