import { DateTime, Effect } from "effect"
import type { BundleClaims, BundleEntity, BundleMeeting } from "../../../schema/bundle.ts"
import type { ClaimId } from "../../../schema/primitives.ts"
import { type AuthoredMatter, type AuthoredMeeting, weekdays } from "./authoring.ts"
import { readBriefing } from "./briefing.ts"
import { instantOf, weekdayFrom, withDays, zone } from "./calendar.ts"
import { matterOf, membersOf, votesOf } from "./decided.ts"
import { documentsOf, listedDocuments } from "./documents.ts"
import { agendaItemId, claimId, clipId, figureId, meetingId } from "./ids.ts"
import { county, type SampleBody, type SampleMeeting } from "./read.ts"
import { byNumber, readScript, rowsOf } from "./script.ts"
import { asHeard, speakScript } from "./speech.ts"

type Checked = BundleClaims["claims"][number]

const generator = "sample/1"

const statusOf = (authored: AuthoredMeeting): BundleMeeting["status"] =>
  authored.cancelled ? "cancelled" : authored.weeks < 0 ? "held" : "upcoming"

/** Puts a meeting on its day, and times what was said. */
const meetingOf = (
  body: SampleBody,
  authored: AuthoredMeeting,
  today: string,
  identifiers: ReadonlyMap<string, string>
): SampleMeeting => {
  const { slug } = body.agency
  const id = meetingId(slug, authored.key)
  const date = weekdayFrom(today, weekdays.indexOf(body.weekday), authored.weeks)
  const rows = rowsOf(withDays(authored.agenda ?? "", date))
  const titles = byNumber(withDays(authored.agenda ?? "", date))
  const about = byNumber(authored.matters ?? "")
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
      ...listedDocuments(authored, page, id),
      agenda_items: rows.map(([number = "", title = "", description, outcome]) => {
        const start = spoken?.starts.get(number)
        const matter = identifiers.get(about.get(number) ?? "")
        return {
          id: agendaItemId(id, number),
          number,
          title,
          ...(description === undefined ? {} : { description }),
          ...(outcome === undefined ? {} : { outcome }),
          ...(start === undefined ? {} : { start }),
          ...(matter === undefined ? {} : { matter })
        }
      }),
      chapters: spoken?.chapters ?? []
    }
  }
}

const hoursAfter = (meeting: BundleMeeting, hours: number): string =>
  DateTime.formatIso(DateTime.add(DateTime.makeUnsafe(meeting.starts_at ?? `${meeting.date}T00:00:00Z`), { hours }))

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
  const turns = (labels: ReadonlyArray<string>) => labels.flatMap((label) => spoken.labelled.get(label) ?? [])
  const spans = (labels: ReadonlyArray<string>) => turns(labels).map(({ start, end }) => ({ start, end }))
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
        const evidence = verdict === "unsupported" ? [] : turns(labels)
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
      decisions: rowsOf(withDays(decisions, meeting.date)).map(([number = "", outcome = "", vote]) => ({
        agenda_item: agendaItemId(meeting.id, number),
        outcome,
        ...(vote === undefined ? {} : { vote })
      }))
    }
  }
  if (authored.summaries !== undefined) {
    const titles = new Map(meeting.agenda_items.map(({ number, title }) => [number, title]))
    const items = rowsOf(withDays(authored.summaries, meeting.date)).map(([number = "", summary = ""]) => ({
      number,
      title: titles.get(number) ?? "",
      summary
    }))
    yield { type: "agenda_summary", ...ofMeeting, items }
  }
  yield* documentsOf(meeting, authored)
  for (const clip of authored.clips ?? []) {
    const [from, to] = [spoken?.labelled.get(clip.from), spoken?.labelled.get(clip.to)]
    if (from === undefined || to === undefined) continue
    yield {
      type: "clip",
      ...ofMeeting,
      id: clipId(meeting.id, clip.key),
      title: clip.title,
      start: from.start,
      end: to.end,
      ...(clip.item === undefined ? {} : { agenda_item: agendaItemId(meeting.id, clip.item) }),
      state: clip.state
    }
  }
}

/** What each matter is called, by its key: of the year in which its body first had it. */
const identifiersOn = (bodies: ReadonlyArray<SampleBody>, matters: ReadonlyArray<AuthoredMatter>, today: string) =>
  new Map(
    matters.map(({ key, body, identifier }) => {
      const days = bodies
        .filter(({ file }) => file === body)
        .flatMap(({ weekday, meetings }) =>
          meetings
            .filter((meeting) => rowsOf(meeting.matters ?? "").some(([, matter]) => matter === key))
            .map(({ weeks }) => weekdayFrom(today, weekdays.indexOf(weekday), weeks))
        )
      return [key, withDays(identifier, days.toSorted()[0] ?? today)]
    })
  )

/** The meetings of the sample, on their days around `today` (`YYYY-MM-DD`). */
export const sampleMeetings = (today: string) =>
  Effect.map(county, ({ bodies, matters }) => {
    const identifiers = identifiersOn(bodies, matters, today)
    return bodies.flatMap((body) => body.meetings.map((meeting) => meetingOf(body, meeting, today, identifiers)))
  })

/**
 * The sample record: a made-up county of Illinois, written for Civic Record, as the entities of a bundle without its
 * media (see `sampleMedia`). Its meetings are around `today` (`YYYY-MM-DD`, in America/Chicago), so that whenever it is
 * imported some have been held and some are upcoming. The same day gives the same entities, another day the same ids.
 */
export const sampleEntities = (today: string) =>
  Effect.map(
    Effect.all([county, sampleMeetings(today)]),
    ([{ places, bodies, matters }, meetings]): ReadonlyArray<BundleEntity> => [
      ...places,
      ...bodies.map(({ agency }) => agency),
      ...meetings.map(({ meeting }) => meeting),
      ...meetings.flatMap((meeting) => [...belongingsOf(meeting)]),
      ...bodies.flatMap(membersOf),
      ...matters.map((matter) => matterOf(matter, bodies, meetings)),
      ...meetings.flatMap((meeting) => votesOf(meeting, matters))
    ]
  )
