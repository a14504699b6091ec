import { Effect, Result, type Schema, Stream } from "effect"
import type { BundlePlace } from "../../../../schema/bundle.ts"
import type { BundleVote } from "../../../../schema/bundle-people.ts"
import type { MemberRole } from "../../../../schema/people.ts"
import type { MatterKind, MatterStatus, VoteOption, VoteResult } from "../../../../schema/vote.ts"
import { slugify } from "../../slug.ts"
import { type Tolerated, tolerantDecoder } from "../decode.ts"
import { encodingNote } from "../encoding.ts"
import { recordsOf } from "../files.ts"
import type { Items, SourceFile } from "../format.ts"
import { found, type Item, leftOutOf, type Origin, ReadError, rejected } from "../item.ts"
import { factsOfTrail, placeOfName } from "../known-places.ts"
import { type MeetingFacts, placeOf } from "../row.ts"
import { factsOr } from "../sidecar.ts"
import { tidy } from "../text.ts"

/** What Legistar's words for votes and attendance mean, in Open Civic Data's terms. */
const options: Readonly<Record<string, VoteOption>> = {
  affirmative: "yes",
  yes: "yes",
  yea: "yes",
  aye: "yes",
  ayes: "yes",
  "in favor": "yes",
  negative: "no",
  no: "no",
  nay: "no",
  nays: "no",
  opposed: "no",
  abstain: "abstain",
  abstained: "abstain",
  abstention: "abstain",
  conflict: "abstain",
  recused: "abstain",
  absent: "absent",
  excused: "excused",
  medical: "excused",
  maternity: "excused",
  paternity: "excused",
  parental: "excused",
  bereavement: "excused",
  "jury duty": "excused",
  present: "present",
  late: "present",
  remote: "present",
  "non-voting": "not_voting",
  "non voting": "not_voting",
  "not voting": "not_voting",
  suspended: "other",
  simultaneous: "other"
}

/** Words that say more than the option does. Why somebody was excused is nobody's business, and not kept. */
const telling: ReadonlySet<string> = new Set(["conflict", "recused", "suspended", "simultaneous", "late", "remote"])

/** A member's vote or attendance in Legistar's word; undefined for an empty one. */
export const ballotOf = (word: string): { readonly option: VoteOption; readonly note?: string } | undefined => {
  const key = word.toLowerCase()
  if (key === "") return undefined
  const option = options[key]
  if (option === undefined) return { option: "other", note: word }
  return telling.has(key) ? { option, note: word } : { option }
}

/** What a member answers, in Legistar's word. */
interface Answered {
  readonly Slug?: string | null
  readonly FullName?: string | null | undefined
  readonly word: string | null | undefined
}

/** What somebody is called of whom the source has neither a name nor a slug: nobody's page. */
export const unnamed = "Unnamed"

/** A name; the words of the slug where there is none. */
export const nameOf = ({ Slug, FullName }: Pick<Answered, "Slug" | "FullName">): string | undefined =>
  tidy(FullName) || tidy(Slug).replaceAll("-", " ") || undefined

/** The ballots of these answers, and the names of those without a word. */
export const ballotsOf = (place: BundlePlace, answers: ReadonlyArray<Answered>) => {
  const silent: Array<string> = []
  const ballots = answers.flatMap(({ word, FullName, ...person }): BundleVote["ballots"] => {
    const name = nameOf({ ...person, FullName })
    const ballot = ballotOf(tidy(word))
    if (ballot === undefined) {
      silent.push(name ?? "somebody")
      return []
    }
    // A vote counts, also if the source does not say whose it is.
    return [
      name === undefined
        ? { name: unnamed, ...ballot }
        : { person: personSlug(place, { ...person, FullName: name }), name, ...ballot }
    ]
  })
  return { ballots, silent }
}

/** The first pair whose words a text has. */
const firstOf = <A>(pairs: ReadonlyArray<readonly [RegExp, A]>, text: string): A | undefined =>
  pairs.find(([words]) => words.test(text))?.[1]

const matterKinds: ReadonlyArray<readonly [RegExp, MatterKind]> = [
  [/land use|zoning|rezon|subdivision|plat\b|variance/i, "land_use"],
  [/resolution/i, "resolution"],
  [/ordinance|introduction|local law|\bbill\b/i, "ordinance"],
  [/motion/i, "motion"],
  [/appoint|nominat/i, "appointment"],
  [/hearing/i, "hearing"],
  [/communication|report|presentation|letter|petition/i, "communication"]
]
export const matterKind = (type: string): MatterKind => firstOf(matterKinds, type) ?? "other"

const matterStatuses: ReadonlyArray<readonly [RegExp, MatterStatus]> = [
  [/veto/i, "vetoed"],
  [/withdrawn/i, "withdrawn"],
  [/disapprov|failed|defeat|denied|rejected|lost/i, "failed"],
  [/enact|signed|law\b/i, "enacted"],
  [/filed|placed on file/i, "filed"],
  [/adopt|pass|approv/i, "passed"],
  [/committee|laid over|referred|held|tabled|deferred/i, "in_committee"],
  [/introduc|new|agenda ready|draft|first reading/i, "introduced"]
]
export const matterStatus = (status: string): MatterStatus => firstOf(matterStatuses, status) ?? "other"

const roles: ReadonlyArray<readonly [RegExp, MemberRole]> = [
  [/\bvice\b.*\bchair|vice president/i, "vice_chair"],
  [/chair|council president|president of the council/i, "chair"],
  [/\bmayor\b/i, "mayor"],
  [/\bclerk\b/i, "clerk"],
  [/staff|counsel|analyst|secretary|treasurer/i, "staff"],
  [/speaker|leader|whip|advocate|ex.?officio/i, "other"]
]
export const memberRole = (title: string): MemberRole => firstOf(roles, title) ?? "member"

/** Legistar's passed flag by its name. */
export const resultOf = (flag: string | null | undefined): VoteResult | undefined => {
  const word = tidy(flag).toLowerCase()
  return word === "" ? undefined : /^pass/.test(word) ? "pass" : /^fail/.test(word) ? "fail" : "other"
}

/** The slug of a person at a place: `new-york-ada-marsh`. */
export const personSlug = (
  place: Pick<BundlePlace, "slug">,
  { Slug, FullName }: { readonly Slug?: string | null; readonly FullName: string }
) => slugify(`${place.slug}-${tidy(Slug) || FullName}`)

/** The slug of a matter at a place: `new-york-int-0804-1996`. */
export const matterSlug = (place: BundlePlace, identifier: string): string => slugify(`${place.slug}-${identifier}`)

/** A day as the source writes it, without its hour; undefined if it is none. */
export const dayOf = (text: string | null | undefined): string | undefined => {
  const day = /^(\d{4})-\d{2}-\d{2}(?=T|$)/.exec(text ?? "")
  return day === null || day[0] <= "1600" ? undefined : day[0]
}

const howToName = "give the place with --place and --state, or in meeting.json beside the file"

/**
 * Reads a file of records of one place, each by itself. Fails if neither the flags, nor a file beside it, nor the
 * addresses in a record, nor the file's name give the place.
 */
export const readRecords = <S extends Schema.ConstraintDecoder<unknown>>(
  file: SourceFile,
  schema: S,
  settling: ReadonlyArray<string>,
  addressesOf: (value: S["Type"]) => MeetingFacts | undefined,
  itemsOf: (value: S["Type"], place: BundlePlace, origin: Origin) => ReadonlyArray<Item>
): Items => {
  const decode = tolerantDecoder(schema, settling)
  const { facts, trail, beside } = file
  const around = { ...placeOfName(file.file), ...factsOfTrail(trail), ...factsOr(beside) }
  const named = new Set<string>()
  return recordsOf(file.path).pipe(
    Stream.mapEffect(({ line, value, encoding }) => {
      const origin = { file: file.file, line }
      const notes = encodingNote(origin, encoding)
      if (Result.isFailure(value)) return Effect.succeed([...notes, rejected(origin, "", value.failure)])
      const read: Result.Result<Tolerated<S["Type"]>, { field: string; message: string }> = decode(value.success)
      if (Result.isFailure(read)) {
        return Effect.succeed([...notes, rejected(origin, read.failure.field, read.failure.message)])
      }
      const { value: record, leftOut } = read.success
      const known = { ...around, ...addressesOf(record), ...facts }
      const { place: name, state } = known
      if (name === undefined || state === undefined) {
        return Effect.fail(
          new ReadError({ path: file.path, problem: `the records do not name their place; ${howToName}` })
        )
      }
      const place = placeOf({ ...known, place: name, state })
      const first = named.has(place.slug) ? [] : [found(origin, place)]
      named.add(place.slug)
      return Effect.succeed([...notes, ...first, ...leftOutOf(origin, leftOut), ...itemsOf(record, place, origin)])
    }),
    Stream.flattenIterable
  )
}
