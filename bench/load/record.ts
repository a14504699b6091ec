import type {
  BundleBriefing,
  BundleClaims,
  BundleClip,
  BundleEntity,
  BundleMeeting,
  BundleTranscript
} from "../../schema/bundle.ts"
import { AgendaItemId, ClaimId, ClipId, MeetingId } from "../../schema/primitives.ts"
import { type Directory, directoryOf } from "./directory.ts"
import { itemHeads, meetingTitles } from "./names.ts"
import { drawerOf, type Random, randomOf } from "./random.ts"
import { distinctRuns, type Run, runOf } from "./runs.ts"
import { readSpeech, type Speech } from "./speech.ts"

/** The parameters of a record; they determine every row. */
export interface Plan {
  readonly seed: string
  /** The number of meetings; one in twenty is upcoming. */
  readonly size: number
  /** Approximate words per transcript; three in four held meetings have one. */
  readonly words: number
  /** Approximate pages of the packet that each held meeting has; none by default. */
  readonly pages?: number
  /** Held meetings are before this day, `YYYY-MM-DD`; upcoming ones are within a year from it. */
  readonly until: string
  /** The source of the words; captions by default, if available. */
  readonly speech?: Speech["from"]
}

/** A meeting with its parts; its transcript is one of the record's runs, by index. */
export interface LoadedMeeting {
  readonly meeting: BundleMeeting
  /** An instant, ISO 8601 in UTC. */
  readonly updatedAt: string
  readonly run?: number
  readonly clip?: BundleClip
  readonly briefing?: BundleBriefing
  readonly claims?: BundleClaims
  /** The text of each page of its packet, made when it is asked for. */
  readonly packet?: () => ReadonlyArray<string>
}

/** A record; the same plan always gives the same record, in whatever order it is read. */
export interface LoadedRecord {
  readonly plan: Plan
  readonly directory: Directory
  readonly runs: number
  readonly run: (index: number) => Run
  readonly meeting: (index: number) => LoadedMeeting
}

const years = 20
const generator = "load/1"
const dayMillis = 86_400_000

const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMillis).toISOString().slice(0, 10)

/**
 * A random age in days before `until`. Recent years have more meetings: three times as many in the last year as in the
 * first.
 */
const daysBefore = (random: Random): number => {
  const share = random.next()
  return 1 + Math.floor(years * 365.2425 * (share + 0.5 * share * (share - 1)))
}

/** `count` consecutive words of speech. */
const someWords = (random: Random, { lines }: Speech, count: number): string => {
  const at = random.below(lines.length)
  const words: Array<string> = []
  for (let line = at; words.length < count; line++) words.push(...(lines[line % lines.length] ?? "").split(" "))
  return words.slice(0, count).join(" ")
}

/** The entities of a meeting in bundle order, including its whole transcript. */
export const entitiesOf = (record: LoadedRecord, index: number): ReadonlyArray<BundleEntity> => {
  const { meeting, run, clip, briefing, claims } = record.meeting(index)
  return [
    meeting,
    ...(run === undefined ? [] : [transcriptOf(meeting.id, record.run(run))]),
    ...[clip, briefing, claims].filter((entity) => entity !== undefined)
  ]
}

export const transcriptOf = (meeting_id: MeetingId, { segments, duration }: Run): BundleTranscript => ({
  type: "transcript",
  meeting_id,
  version: "refined",
  language: "en",
  generator,
  duration,
  segments
})

const contentsOf = (
  random: Random,
  speech: Speech,
  run: Run | undefined
): Pick<BundleMeeting, "agenda_items" | "chapters"> => {
  const items = 3 + random.below(6)
  const chapters = 2 + random.below(3)
  const duration = run?.duration ?? 0
  return {
    agenda_items: Array.from({ length: items }, (_, at) => ({
      id: AgendaItemId.make(random.uuid()),
      number: `${at + 1}`,
      title: `${random.pick(itemHeads)} ${someWords(random, speech, 3 + random.below(6))}`,
      ...(random.chance(0.15) ? { description: someWords(random, speech, 15 + random.below(25)) } : {}),
      ...(run === undefined ? {} : { start: Math.floor((duration * at) / items) })
    })),
    chapters:
      run === undefined
        ? []
        : Array.from({ length: chapters }, (_, at) => ({
            title: someWords(random, speech, 3 + random.below(3)),
            start: Math.floor((duration * at) / chapters),
            end: Math.floor((duration * (at + 1)) / chapters)
          }))
  }
}

const briefingOf = (random: Random, speech: Speech, meeting: BundleMeeting, run: Run) => {
  const { id: meeting_id } = meeting
  const end = Math.min(30, run.duration)
  const claim = ClaimId.make(random.uuid())
  const text = someWords(random, speech, 18)
  const topic = someWords(random, speech, 4)
  const at = `${dayAfter(meeting.date, 1)}T15:00:00Z`
  const briefing: BundleBriefing = {
    type: "briefing",
    meeting_id,
    headline: someWords(random, speech, 8),
    worth_watching: [{ text: someWords(random, speech, 10), start: 0 }],
    topics: [{ title: topic, sentences: [{ text, citations: [{ start: 0, end }], claim }], figures: [] }],
    generator,
    published_at: at
  }
  const claims: BundleClaims = {
    type: "claims",
    meeting_id,
    claims: [
      {
        id: claim,
        topic,
        text,
        verdict: "supported",
        evidence: [{ start: 0, end, quote: run.segments[0]?.text ?? "" }],
        checked_at: at
      }
    ]
  }
  return { briefing, claims }
}

const clipOf = (random: Random, speech: Speech, meeting: BundleMeeting, { duration }: Run): BundleClip => ({
  type: "clip",
  meeting_id: meeting.id,
  id: ClipId.make(random.uuid()),
  title: someWords(random, speech, 5),
  start: 0,
  end: Math.min(45, duration),
  state: "published"
})

const wordsOfPage = 250

/** The record of a plan, with words from real meetings' captions if available. */
export const recordOf = async (plan: Plan): Promise<LoadedRecord> => {
  const { seed, size, words, until, pages = 0 } = plan
  const runs = Math.min(distinctRuns, Math.ceil(size * 0.75))
  const speech = await readSpeech(Math.max(50_000, runs * words), plan.speech)
  const directory = directoryOf(seed, size)
  const bodyOf = drawerOf(directory.bodies.map(({ weight }) => weight))
  const run = (index: number) => runOf(seed, speech, words, index)
  const runAt = new Map<number, Run>()
  /** Runs are cached because they are reused often, and all of them fit in memory. */
  const kept = (index: number): Run => {
    const known = runAt.get(index)
    if (known !== undefined) return known
    const made = run(index)
    runAt.set(index, made)
    return made
  }

  const meeting = (index: number): LoadedMeeting => {
    const random = randomOf(seed, "meeting", index)
    const { agency, timezone } = directory.bodies[bodyOf(random)] ?? directory.bodies[0]
    const id = MeetingId.make(random.uuid())
    const isHeld = index % 20 !== 19
    const date = isHeld ? dayAfter(until, -daysBefore(random)) : dayAfter(until, random.below(365))
    const at = isHeld && random.chance(0.75) ? random.below(runs) : undefined
    const said = at === undefined ? undefined : kept(at)
    const site = `https://${agency.places[0] ?? ""}.example.gov/meetings/${index}`
    const made: BundleMeeting = {
      type: "meeting",
      id,
      agency: agency.slug,
      title: `${random.pick(meetingTitles)}${random.chance(0.3) ? `: ${someWords(random, speech, 3)}` : ""}`,
      date,
      starts_at: `${date}T${15 + random.below(9)}:${random.chance(0.5) ? "00" : "30"}:00Z`,
      timezone,
      status: isHeld ? "held" : random.chance(0.06) ? "cancelled" : "upcoming",
      ...(said === undefined ? {} : { duration: said.duration }),
      location: `Room ${1 + random.below(400)}, ${agency.name}`,
      source_url: site,
      agenda_url: `${site}/agenda.pdf`,
      ...contentsOf(random, speech, said)
    }
    const packet = () => {
      const random = randomOf(seed, "packet", index)
      const length = 1 + random.below(2 * pages)
      return Array.from({ length }, () => someWords(random, speech, wordsOfPage))
    }
    return {
      meeting: made,
      updatedAt: isHeld ? `${dayAfter(date, 2)}T12:00:00Z` : `${until}T12:00:00Z`,
      ...(at === undefined ? {} : { run: at }),
      ...(isHeld && pages > 0 ? { packet } : {}),
      ...(said !== undefined && random.chance(0.05) ? { clip: clipOf(random, speech, made, said) } : {}),
      ...(said !== undefined && random.chance(0.25) ? briefingOf(random, speech, made, said) : {})
    }
  }
  return { plan: { ...plan, speech: speech.from }, directory, runs, run: kept, meeting }
}
