import { Schema } from "effect"
import type { BundlePlace } from "../../../../schema/bundle.ts"
import type { BundleMatter, BundleVote } from "../../../../schema/bundle-people.ts"
import type { Format } from "../format.ts"
import { mentions } from "../format.ts"
import { voteId } from "../ids.ts"
import { found, type Item, type Origin, warning } from "../item.ts"
import { placeOfSite } from "../known-places.ts"
import { agencyOf } from "../row.ts"
import { shorten, tidy, webAddress } from "../text.ts"
import {
  ballotsOf,
  dayOf,
  matterKind,
  matterSlug,
  matterStatus,
  nameOf,
  personSlug,
  readRecords,
  resultOf,
  unnamed
} from "./decisions.ts"

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const whole = Schema.optionalKey(Schema.NullOr(Schema.Int))
const listOf = <S extends Schema.Top>(one: S) => Schema.optionalKey(Schema.NullOr(Schema.Array(one)))

const LegistarPerson = Schema.Struct({ Slug: text, FullName: text })

const LegistarStep = Schema.Struct({
  ID: Schema.Int,
  Date: text,
  Action: text,
  BodyName: text,
  PassedFlagName: text,
  /** The event at which it was taken, whose item has this step's own number. */
  EventID: whole,
  Votes: listOf(Schema.Struct({ ...LegistarPerson.fields, Vote: text }))
})

const LegistarMatter = Schema.Struct({
  ID: Schema.Int,
  File: text,
  Name: text,
  Title: text,
  Summary: text,
  TypeName: text,
  StatusName: text,
  BodyName: text,
  IntroDate: text,
  LocalLaw: text,
  Sponsors: listOf(LegistarPerson),
  History: listOf(LegistarStep),
  Attachments: listOf(Schema.Struct({ Name: text, Link: text, Sort: whole }))
})
type LegistarMatter = typeof LegistarMatter.Type
type LegistarStep = typeof LegistarStep.Type

/** The body that a name means at a place; departments and the mayor are names like others. */
const slugOfBody = (name: string, place: BundlePlace) => (name === "" ? undefined : agencyOf({ name }, place).slug)

const stepOf = (step: LegistarStep, place: BundlePlace): BundleMatter["history"][number] | undefined => {
  const [date, action, body] = [dayOf(step.Date), tidy(step.Action), tidy(step.BodyName)]
  if (date === undefined || action === "") return undefined
  const [agency, result] = [slugOfBody(body, place), resultOf(step.PassedFlagName)]
  return {
    date,
    action,
    ...(result === undefined ? {} : { result }),
    ...(agency === undefined ? {} : { agency, body_name: body }),
    ...(step.EventID ? { event: String(step.EventID), item: String(step.ID) } : {})
  }
}

/** The vote that a step records, and the ballots without a word. */
const voteOf = (step: LegistarStep, matter: BundleMatter, place: BundlePlace) => {
  const { ballots, silent } = ballotsOf(
    place,
    (step.Votes ?? []).map(({ Vote, ...person }) => ({ ...person, word: Vote }))
  )
  const [date, result, action] = [dayOf(step.Date), resultOf(step.PassedFlagName), tidy(step.Action)]
  if (!step.EventID || ballots.length === 0) return { silent }
  const vote: BundleVote = {
    type: "vote",
    id: voteId("legistar", place.slug, "vote", String(step.ID)),
    kind: "vote",
    ...(date === undefined ? {} : { date }),
    place: place.slug,
    event: String(step.EventID),
    item: String(step.ID),
    matter: matter.slug,
    ...(action === "" ? {} : { motion: action }),
    ...(result === undefined ? {} : { result }),
    ballots,
    from: "source"
  }
  return { vote, silent }
}

const itemsOf = (record: LegistarMatter, place: BundlePlace, origin: Origin): ReadonlyArray<Item> => {
  // Drafts have no number yet but that of the source.
  const identifier = tidy(record.File) || `Matter ${record.ID}`
  const [name, title, summary] = [tidy(record.Name), tidy(record.Title), tidy(record.Summary)]
  const [type, status, law] = [tidy(record.TypeName), tidy(record.StatusName), tidy(record.LocalLaw)]
  const [introduced, agency] = [dayOf(record.IntroDate), slugOfBody(tidy(record.BodyName), place)]
  const steps = (record.History ?? []).map((step) => stepOf(step, place))
  const description = [title, summary].filter((part) => part !== "" && part !== name).join("\n\n")
  const sponsors = (record.Sponsors ?? []).map((sponsor, at) => {
    const name = nameOf(sponsor)
    return {
      ...(name === undefined ? {} : { person: personSlug(place, { ...sponsor, FullName: name }) }),
      name: name ?? unnamed,
      ...(at === 0 ? { is_primary: true } : {})
    }
  })
  const attachments = (record.Attachments ?? [])
    .toSorted((a, b) => (a.Sort ?? 0) - (b.Sort ?? 0))
    .flatMap(({ Name, Link }) => {
      const url = webAddress(Link)
      return url === undefined ? [] : [{ title: shorten(tidy(Name) || "Attachment", 300), url }]
    })
  const matter: BundleMatter = {
    type: "matter",
    slug: matterSlug(place, identifier),
    place: place.slug,
    identifier,
    title: shorten(name || title || identifier, 1000),
    ...(description === "" ? {} : { description }),
    kind: matterKind(type),
    ...(type === "" ? {} : { kind_label: type }),
    status: matterStatus(status),
    ...(status === "" ? {} : { status_label: status }),
    ...(introduced === undefined ? {} : { introduced_on: introduced }),
    ...(law === "" ? {} : { enacted_as: law }),
    ...(agency === undefined ? {} : { agency }),
    ...(sponsors.length === 0 ? {} : { sponsors }),
    ...(attachments.length === 0 ? {} : { attachments }),
    history: steps.filter((step) => step !== undefined)
  }
  const undated = steps.filter((step) => step === undefined).length
  const votes = (record.History ?? []).map((step) => voteOf(step, matter, place))
  const silent = votes.flatMap((one) => one.silent)
  const unreachable = (record.Attachments ?? []).length - attachments.length
  return [
    ...(unreachable === 0
      ? []
      : [warning(origin, "Attachments", `${unreachable} have no address of the web, and are left out`)]),
    ...(undated === 0
      ? []
      : [warning(origin, "History", `${undated} of its actions have no day or no words, and are left out`)]),
    ...(silent.length === 0
      ? []
      : [warning(origin, "History", `the votes of ${silent.join(", ")} have no word, and are left out`)]),
    found(origin, matter),
    ...votes.flatMap(({ vote }) => (vote === undefined ? [] : [found(origin, vote)]))
  ]
}

/** Matters of Legistar with their history and votes, one per line, with the names used by archives of its Web API. */
export const legistarMatters: Format = {
  name: "matters",
  about: "Legistar matters with their sponsors, history and votes, one per line",
  isRecord: (record) => "File" in record && ("History" in record || "Sponsors" in record),
  isHead: (head) => mentions(head, "History") && mentions(head, "StatusName"),
  read: ([file]) =>
    readRecords(
      file,
      LegistarMatter,
      ["IntroDate"],
      ({ Attachments }) => Attachments?.map(({ Link }) => placeOfSite(Link)).find((place) => place !== undefined),
      itemsOf
    )
}
