import { Schema } from "effect"
import { Verdict } from "../../../schema/briefing.ts"
import { BundleAgency, BundlePlace } from "../../../schema/bundle.ts"
import { ClipState } from "../../../schema/clip.ts"
import { DocumentKind } from "../../../schema/document.ts"
import { NonEmptyText, StateCode } from "../../../schema/primitives.ts"
import { MatterKind, MatterStatus } from "../../../schema/vote.ts"
import { memberForm, turnForm, voteForm } from "./script.ts"

// The form of the files in meetings/, whose README explains it. Every value in them is text.

const optional = Schema.optionalKey
const yes = optional(Schema.Literal("yes"))
const Clock = Schema.String.check(Schema.isPattern(/^\d\d:\d\d$/, { message: "must be a time such as 19:00" }))
const Named = Schema.Record(Schema.String, NonEmptyText)

/** Text with an entry on each line, in a form. */
const linesOf = (form: RegExp, words: string) =>
  Schema.String.check(
    Schema.makeFilter((text) =>
      text.split("\n").flatMap((line, at) => (line === "" || form.test(line) ? [] : [{ path: [at], issue: words }]))
    )
  )
const Rows = linesOf(/^\S+ \| \S/, "must be: number | text")
const Members = linesOf(memberForm, "must be: name in votes | whole name | role | title")
const VoteRows = linesOf(voteForm, "must be: number | motion | pass, fail or roll | yes: names; no: names | label")
const Script = linesOf(
  new RegExp(`^@\\S+$|^@\\S* \\| \\S|${turnForm.source}`, "u"),
  "must be a turn (Name: text or Name #label: text) or a part (@number or @number | chapter)"
)

const Written = Schema.Struct({
  key: NonEmptyText,
  weeks: Schema.FiniteFromString.check(Schema.isInt()),
  title: NonEmptyText,
  at: optional(Clock),
  cancelled: yes,
  recorded: yes,
  agenda: optional(Rows),
  summaries: optional(Rows),
  script: optional(Script),
  transcripts: optional(Schema.Literals(["both", "raw"])),
  misheard: optional(Named),
  briefing: optional(NonEmptyText),
  unchecked: yes,
  figures: optional(
    Schema.Array(
      Schema.Struct({
        key: NonEmptyText,
        title: NonEmptyText,
        alt: NonEmptyText,
        mark: Schema.Literals(["bar", "line"]),
        x: optional(NonEmptyText),
        y: NonEmptyText,
        values: Schema.Array(Schema.Tuple([NonEmptyText, Schema.FiniteFromString]))
      })
    )
  ),
  documents: optional(
    Schema.Array(
      Schema.Struct({
        key: NonEmptyText,
        kind: DocumentKind,
        title: NonEmptyText,
        item: optional(NonEmptyText),
        pages: Schema.Array(NonEmptyText)
      })
    )
  ),
  recap: optional(Schema.Struct({ headline: NonEmptyText, summary: NonEmptyText, decisions: Rows })),
  matters: optional(Rows),
  votes: optional(VoteRows),
  heard: optional(VoteRows),
  clips: optional(
    Schema.Array(
      Schema.Struct({
        key: NonEmptyText,
        title: NonEmptyText,
        from: NonEmptyText,
        to: NonEmptyText,
        item: optional(NonEmptyText),
        state: ClipState
      })
    )
  )
})

const namesIn = (text: string | undefined, form: RegExp): ReadonlyArray<string> =>
  Array.from((text ?? "").matchAll(form), ([, name = ""]) => name)

/** Whatever a meeting refers to must be its own: an agenda item, a turn with a label, a figure. */
const mistakes = (meeting: typeof Written.Type) => {
  const items = ["on the agenda", namesIn(meeting.agenda, /^(\S+) \|/gm)] as const
  const labels = ["the label of a turn", namesIn(meeting.script, /^[^:#]+ #([\w-]+):/gm)] as const
  const figures = ["a figure", (meeting.figures ?? []).map(({ key }) => key)] as const
  const unlike = (field: "script" | "briefing", form: RegExp, issue: string) =>
    form.test(meeting[field] ?? "") ? [] : [{ path: [field], issue }]
  const unknown = (
    path: ReadonlyArray<PropertyKey>,
    text: string | undefined,
    form: RegExp,
    [which, known]: readonly [string, ReadonlyArray<string>]
  ) =>
    (text ?? "").split("\n").flatMap((line, at) =>
      namesIn(line, form)
        .filter((name) => !known.includes(name))
        .map((name) => ({ path: [...path, at], issue: `names ${name}, which is not ${which}` }))
    )
  return [
    ...unlike("script", /^(@|$)/, "must begin with a part (@number)"),
    ...unlike(
      "briefing",
      /^(.+\n(\* .+\n)*== |$)/,
      "must be a headline, lines that begin with *, and topics (== title)"
    ),
    ...unknown(["summaries"], meeting.summaries, /^(\S+) \|/g, items),
    ...unknown(["script"], meeting.script, /^@([^\s|]+)/g, items),
    ...unknown(["briefing"], meeting.briefing, / #(\S+)/g, labels),
    ...unknown(["briefing"], meeting.briefing, / %(\S+)/g, figures),
    ...unknown(["briefing"], meeting.briefing, / !(\S+)/g, ["a verdict", Verdict.literals]),
    ...(["matters", "votes", "heard"] as const).flatMap((field) =>
      unknown([field], meeting[field], /^(\S+) \|/g, items)
    ),
    ...(["votes", "heard"] as const).flatMap((field) =>
      unknown([field], meeting[field], /^(?:[^|]+\|){4} ([\w-]+)$/g, labels)
    ),
    ...unknown(["recap", "decisions"], meeting.recap?.decisions, /^(\S+) \|/g, items),
    ...(meeting.documents ?? []).flatMap(({ item }, at) => unknown(["documents", at, "item"], item, /(.+)/g, items)),
    ...(meeting.clips ?? []).flatMap(({ from, to, item }, at) => [
      ...unknown(["clips", at, "from"], from, /(.+)/g, labels),
      ...unknown(["clips", at, "to"], to, /(.+)/g, labels),
      ...unknown(["clips", at, "item"], item, /(.+)/g, items)
    ])
  ]
}

export const AuthoredMeeting = Written.check(Schema.makeFilter(mistakes))
export type AuthoredMeeting = typeof AuthoredMeeting.Type

/** The days of the week, from 0 for Sunday. */
export const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const

export const AuthoredBody = Schema.Struct({
  name: NonEmptyText,
  kind: BundleAgency.fields.kind,
  places: Schema.TupleWithRest(Schema.Tuple([Schema.String]), [Schema.String]),
  retired: optional(Schema.Array(Schema.String)),
  host: NonEmptyText,
  weekday: Schema.Literals(weekdays),
  at: Clock,
  room: NonEmptyText,
  speakers: Named,
  members: optional(Members)
})
export type AuthoredBody = typeof AuthoredBody.Type

const Matter = Schema.Struct({
  key: NonEmptyText,
  place: NonEmptyText,
  /** The file of the body that has it. */
  body: NonEmptyText,
  identifier: NonEmptyText,
  title: NonEmptyText,
  kind: MatterKind,
  status: MatterStatus,
  status_label: optional(NonEmptyText),
  /** One of the body's members. */
  sponsor: optional(NonEmptyText),
  /** How many days before its first meeting on record it was introduced, if it was. */
  introduced_before: optional(Schema.FiniteFromString.check(Schema.isInt()))
})
export type AuthoredMatter = typeof Matter.Type

export const County = Schema.Struct({
  county: NonEmptyText,
  state: StateCode,
  places: Schema.Array(
    Schema.Struct({
      name: NonEmptyText,
      kind: BundlePlace.fields.kind,
      zips: Schema.Array(Schema.String),
      latitude: Schema.FiniteFromString,
      longitude: Schema.FiniteFromString
    })
  ),
  bodies: Schema.Array(Schema.String),
  matters: optional(Schema.Array(Matter))
})
