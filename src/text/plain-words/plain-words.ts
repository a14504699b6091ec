import type { BundleBriefing, BundleMeeting } from "../../../schema/bundle.ts"
import type { Segment } from "../../../schema/transcript.ts"
import { itemAt, type SpokenVote, spokenVotes } from "../roll-calls/roll-calls.ts"
import { decisionInWords, decisionsOf, itemInWords, type Known, plainHeadline } from "./decisions.ts"
import { aboutItem, placesAt, placesOf, tiedIn } from "./places.ts"
import { tied } from "./tied.ts"

type Agenda = BundleMeeting["agenda_items"]

/** A headline that code makes of the record, with the vote that it tells of. */
interface RecordHeadline {
  readonly text: string
  readonly vote: SpokenVote | undefined
}

const headlineOf = (agenda: Agenda, known: ReadonlyArray<Known>): RecordHeadline | undefined => {
  const top = plainHeadline(agenda, known)
  return top && { text: decisionInWords(agenda, top.decision), vote: top.vote }
}

/** The headline in plain words; undefined if nothing is known to have been decided about an item of the agenda. */
export const headlineOfRecord = (agenda: Agenda, segments: ReadonlyArray<Segment>): RecordHeadline | undefined =>
  headlineOf(agenda, decisionsOf(agenda, spokenVotes(segments, agenda)))

/** The title of a topic about nothing on the agenda. */
const untitled = "Also discussed"

/**
 * A briefing in which what code cannot tie to the record word by word has been replaced: the headline by the most
 * important decision in plain words or else by the first sentence, a line of what is worth watching by the sentence it
 * is about, and the title of a topic by that of its item. Its sentences are claims of their own, and stay.
 */
export const plainBriefing = (
  { headline, worth_watching, topics }: Pick<BundleBriefing, "headline" | "topics" | "worth_watching">,
  agenda: Agenda,
  segments: ReadonlyArray<Segment>
): Pick<BundleBriefing, "headline" | "topics" | "worth_watching"> => {
  const votes = spokenVotes(segments, agenda)
  const places = placesOf(agenda, segments, votes)
  const sentences = topics.flatMap((topic) => topic.sentences)
  const startOf = ({ citations }: (typeof sentences)[number]) => citations[0]?.start
  const inPlace = (text: string, seconds: ReadonlyArray<number>) =>
    tiedIn(text, [...new Set(seconds.flatMap((second) => placesAt(places, second)))])
  const itemTitle = (second: number | undefined) => {
    const item = second === undefined ? undefined : agenda[itemAt(agenda, second) ?? -1]
    return item === undefined ? untitled : itemInWords(item)
  }
  return {
    headline: tiedIn(headline, places)
      ? headline
      : (headlineOf(agenda, decisionsOf(agenda, votes))?.text ?? sentences[0]?.text ?? headline),
    worth_watching: worth_watching.flatMap((line) => {
      const { text, start } = line
      if (start !== undefined && inPlace(text, [start])) return [line]
      const own = sentences.find((sentence) => start !== undefined && startOf(sentence) === start)
      return own === undefined ? [] : [{ ...line, text: own.text }]
    }),
    topics: topics.map((topic) => {
      const seconds = topic.sentences.flatMap(({ citations }) => citations.map(({ start }) => start))
      return inPlace(topic.title, seconds) ? topic : { ...topic, title: itemTitle(seconds[0]) }
    })
  }
}

/** A clip's title as written if it is tied to its item and its own words; in plain words otherwise. */
export const plainClipTitle = (
  title: string | undefined,
  item: Agenda[number],
  said: ReadonlyArray<Segment>,
  known: ReadonlyArray<Known>
): string => {
  const own = known.filter(({ decision }) => decision.agenda_item === item.id)
  const votes = own.flatMap(({ vote }) => vote ?? [])
  const place = { item: aboutItem(item), said, votes }
  if (title !== undefined && tied(title, place)) return title
  const [from, to] = [said[0]?.start ?? 0, said.at(-1)?.end ?? 0]
  const seen = own.find(({ vote }) => vote !== undefined && vote.start >= from && vote.end <= to)
  return seen === undefined ? itemInWords(item) : decisionInWords([item], seen.decision)
}

/** Seconds before and after a vote in which a model finds words for what was decided. */
const [lead, tail] = [180, 20]

/** Whether an outcome in somebody's words says no more than what the record has of a decision. */
export const isTiedOutcome = (
  outcome: string,
  { decision, vote }: Known,
  agenda: Agenda,
  segments: ReadonlyArray<Segment>
): boolean => {
  if (vote === undefined) return false
  const said = segments.filter(({ start, end }) => end > vote.start - lead && start < vote.end + tail)
  const item = agenda.find(({ id }) => id === decision.agenda_item)
  return tied(outcome, { item: item === undefined ? "" : aboutItem(item), said, votes: [vote] })
}
