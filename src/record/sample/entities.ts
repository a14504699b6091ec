import { DateTime } from "effect"
import type { BundleAgency, BundleClaims, BundleEntity, BundleMeeting } from "../../../schema/bundle.ts"
import type { ClaimId } from "../../../schema/primitives.ts"
import { bodySlugs } from "../slug.ts"
import type { AuthoredBody, AuthoredMeeting } from "./authoring.ts"
import { readBriefing, resolve } from "./briefing.ts"
import { instantOf, weekdayFrom, withDays, zone } from "./calendar.ts"
import { agendaItemId, claimId, clipId, figureId, meetingId } from "./ids.ts"
import { places } from "./places.ts"
import { fieldsOf, readScript, writtenLines } from "./script.ts"
import { asHeard, type Spoken, speakScript } from "./speech.ts"

/** A meeting of the sample on its day, with what was said. */
export interface SampleMeeting {
  readonly body: AuthoredBody
  readonly authored: AuthoredMeeting
  readonly meeting: BundleMeeting
  readonly spoken: Spoken | undefined
}

type Checked = BundleClaims["claims"][number]

const generator = "sample/1"

const homeOf = (body: AuthoredBody) => {
  const home = places.find(({ slug }) => slug === body.places[0])
  if (home === undefined) throw new Error(`No place ${body.places[0]}`)
  return home
}

const slugsOf = (body: AuthoredBody) => bodySlugs(body.name, homeOf(body))

export const agencyOf = (body: AuthoredBody): BundleAgency => ({
  type: "agency",
  ...slugsOf(body),
  name: body.name,
  kind: body.kind,
  places: body.places,
  ...(body.retired === undefined ? {} : { retired_slugs: body.retired }),
  website: `https://${body.host}/`
})

const statusOf = (authored: AuthoredMeeting): BundleMeeting["status"] =>
  authored.cancelled ? "cancelled" : authored.weeks < 0 ? "held" : "upcoming"

/** Puts a meeting on its day, and times what was said. */
export const meetingOf = (body: AuthoredBody, authored: AuthoredMeeting, today: string): SampleMeeting => {
  const { slug } = slugsOf(body)
  const id = meetingId(slug, authored.key)
  const date = weekdayFrom(today, body.weekday, authored.weeks)
  const rows = writtenLines(withDays(authored.agenda, date)).map(fieldsOf)
  const titles = new Map(rows.map(([number = "", title = ""]) => [number, title]))
  const spoken =
    authored.script === undefined
      ? undefined
      : speakScript(readScript(withDays(authored.script, date), titles), (name) => body.speakers[name] ?? name)
  const page = `https://${body.host}/meetings/${date}-${authored.key}`
  return {
    body,
    authored,
    spoken,
    meeting: {
      type: "meeting",
      id,
      agency: slug,
      title: authored.title,
      date,
      starts_at: DateTime.formatIso(instantOf(date, authored.at ?? body.at)),
      timezone: zone,
      status: statusOf(authored),
      ...(spoken === undefined ? {} : { duration: spoken.duration }),
      location: body.room,
      source_url: page,
      ...(rows.length === 0 ? {} : { agenda_url: `${page}/agenda.pdf` }),
      agenda_items: rows.map(([number = "", title = "", description, outcome]) => {
        const start = spoken?.starts.get(number)
        return {
          id: agendaItemId(id, number),
          number,
          title,
          ...(description === undefined ? {} : { description }),
          ...(outcome === undefined ? {} : { outcome }),
          ...(start === undefined ? {} : { start })
        }
      }),
      chapters: spoken?.chapters ?? []
    }
  }
}

const hoursAfter = (meeting: BundleMeeting, hours: number): string =>
  DateTime.formatIso(DateTime.add(DateTime.makeUnsafe(meeting.starts_at ?? `${meeting.date}T00:00:00Z`), { hours }))

const itemOf = (meeting: BundleMeeting, number: string) => {
  const item = meeting.agenda_items.find((one) => one.number === number)
  if (item === undefined) throw new Error(`No agenda item ${number} in ${meeting.title} of ${meeting.agency}`)
  return item
}

function* transcriptsOf({ meeting, authored, spoken }: SampleMeeting): Generator<BundleEntity> {
  if (spoken === undefined) return
  const common = { type: "transcript", meeting_id: meeting.id, language: "en-US", duration: spoken.duration } as const
  const versions = authored.transcripts ?? "refined"
  if (versions !== "raw") yield { ...common, version: "refined", generator, segments: spoken.segments }
  if (versions !== "refined") {
    const segments = asHeard(spoken.segments, authored.misheard ?? {})
    yield { ...common, version: "raw", generator: "sample-recognizer/1", segments }
  }
}

function* briefingOf({ meeting, authored, spoken }: SampleMeeting): Generator<BundleEntity> {
  if (authored.briefing === undefined || spoken === undefined) return
  const written = readBriefing(withDays(authored.briefing, meeting.date))
  const spans = (labels: ReadonlyArray<string>) =>
    resolve(labels, spoken.labelled).map(({ start, end }) => ({ start, end }))
  let position = 0
  const claims = new Map<(typeof written.topics)[number]["sentences"][number], ClaimId>()
  for (const sentence of written.topics.flatMap(({ sentences }) => sentences)) {
    if (sentence.verdict !== undefined) claims.set(sentence, claimId(meeting.id, ++position))
  }
  yield {
    type: "briefing",
    meeting_id: meeting.id,
    headline: written.headline,
    worth_watching: written.worthWatching.map(({ text, labels }) => {
      const [turn] = spans(labels)
      return { text, ...(turn === undefined ? {} : { start: turn.start }) }
    }),
    topics: written.topics.map(({ title, figures, sentences }) => ({
      title,
      sentences: sentences.map((sentence) => {
        const claim = claims.get(sentence)
        return { text: sentence.text, citations: spans(sentence.labels), ...(claim === undefined ? {} : { claim }) }
      }),
      figures: figures.map((key) => figureId(meeting.id, key))
    })),
    generator,
    published_at: hoursAfter(meeting, 3)
  }
  yield {
    type: "claims",
    meeting_id: meeting.id,
    claims: written.topics.flatMap(({ title, sentences }) =>
      sentences.flatMap((sentence): ReadonlyArray<Checked> => {
        const id = claims.get(sentence)
        if (id === undefined || sentence.verdict === undefined) return []
        const claim = { id, topic: title, text: sentence.text }
        if (authored.unchecked) return [{ ...claim, evidence: [] }]
        const { verdict, labels } = sentence
        const evidence = verdict === "unsupported" ? [] : resolve(labels, spoken.labelled)
        return [{ ...claim, verdict, evidence, checked_at: hoursAfter(meeting, 4) }]
      })
    )
  }
}

/** Everything that belongs to a meeting except its media. */
export function* belongingsOf(sample: SampleMeeting): Generator<BundleEntity> {
  const { meeting, authored, spoken } = sample
  const ofMeeting = { meeting_id: meeting.id }
  yield* transcriptsOf(sample)
  for (const { key, title, alt } of authored.figures ?? []) {
    yield { type: "figure", ...ofMeeting, id: figureId(meeting.id, key), title, alt }
  }
  yield* briefingOf(sample)
  if (authored.recap !== undefined) {
    const { headline, summary, decisions } = authored.recap
    yield {
      type: "recap",
      ...ofMeeting,
      headline: withDays(headline, meeting.date),
      summary: withDays(summary, meeting.date),
      decisions: writtenLines(withDays(decisions, meeting.date))
        .map(fieldsOf)
        .map(([number = "", outcome = "", vote]) => ({
          agenda_item: itemOf(meeting, number).id,
          outcome,
          ...(vote === undefined ? {} : { vote })
        }))
    }
  }
  if (authored.agendaSummary !== undefined) {
    const items = writtenLines(withDays(authored.agendaSummary, meeting.date))
      .map(fieldsOf)
      .map(([number = "", summary = ""]) => ({ number, title: itemOf(meeting, number).title, summary }))
    yield { type: "agenda_summary", ...ofMeeting, items }
  }
  for (const clip of authored.clips ?? []) {
    const [from, to] = resolve([clip.from, clip.to], spoken?.labelled ?? new Map())
    if (from === undefined || to === undefined) continue
    yield {
      type: "clip",
      ...ofMeeting,
      id: clipId(meeting.id, clip.key),
      title: clip.title,
      start: from.start,
      end: to.end,
      ...(clip.item === undefined ? {} : { agenda_item: itemOf(meeting, clip.item).id }),
      state: clip.state
    }
  }
}
