import { numbersAreIn } from "../../text/language/numbers.ts"
import { rulesVersion } from "../../text/verify/rules.ts"
import type { FoundMeeting } from "../found.ts"
import { drillAgenda, drillTurns, plantedClaims, spokenVote } from "../script.ts"
import { failed, type Judge, passed } from "./verdict.ts"

/** How far an item's start may be from where it is taken up, in seconds: the length of a transcript's line. */
const itemWithin = 6
/** The share of the agenda's items that must be placed. */
const leastPlaced = 0.75

const agenda: Judge = ({ agenda, summary }, _, { language }) => {
  const listed = agenda.map(({ number, title }) => `${number} ${title}`)
  const missing = drillAgenda.find(({ number, title }) => !listed.includes(`${number} ${title}`))
  if (missing !== undefined) return failed(`Item ${missing.number}, "${missing.title}", was not read from the PDF.`)
  if (agenda.length > drillAgenda.length)
    return failed(`${agenda.length - drillAgenda.length} items are not on the agenda.`)
  if (!language) return passed("Every item was read by its form; summaries are not judged.")
  const summed = summary._tag === "Some" ? summary.value.items.length : 0
  return summed === 0 ? failed("No item has a summary.") : passed(`Every item was read, and ${summed} are summarized.`)
}

const chapters: Judge = ({ agenda }, { spoken }) => {
  const begun = drillTurns.flatMap(({ item }, turn) =>
    item === undefined ? [] : [{ item, at: spoken.segments[turn]?.start ?? 0 }]
  )
  const placed = begun.flatMap(({ item, at }) => {
    const start = agenda.find(({ number }) => number === item)?.start
    return start === undefined ? [] : [{ item, off: Math.abs(start - at) }]
  })
  const wrong = placed.find(({ off }) => off > itemWithin)
  if (wrong !== undefined)
    return failed(`Item ${wrong.item} is placed ${wrong.off.toFixed(1)} s beside where it is taken up.`)
  if (placed.length < begun.length * leastPlaced)
    return failed(`Only ${placed.length} of ${begun.length} items are placed in time.`)
  const largest = Math.max(...placed.map(({ off }) => off))
  return passed(
    `${placed.length} of ${begun.length} items are placed, at most ${largest.toFixed(1)} s from where they are taken up.`
  )
}

const isPlanted = (text: string): boolean => Object.values(plantedClaims).some((planted) => planted === text)

const briefing: Judge = ({ briefing }, { spoken }) => {
  const sentences = briefing?.topics.flatMap((topic) => topic.sentences).filter(({ text }) => !isPlanted(text)) ?? []
  if (briefing === undefined || sentences.length === 0) return failed("No briefing was written.")
  const loose = sentences.find(
    ({ citations }) =>
      citations.length === 0 ||
      citations.some(({ start, end }) => start < 0 || end > spoken.duration + 1 || end <= start)
  )
  if (loose !== undefined) return failed(`A sentence cites nothing of the recording: "${loose.text.slice(0, 100)}"`)
  return passed(`${sentences.length} sentences were written, each with a citation of the recording.`)
}

/** What readers are served after the check. */
const served = ({ newsletter }: FoundMeeting): ReadonlyArray<string> =>
  newsletter === undefined || newsletter.pending_verification
    ? []
    : newsletter.topics.flatMap(({ sentences }) => sentences.map(({ text }) => text))

const verify: Judge = (found, _, { language, speech }) => {
  const { newsletter, checkedBy } = found
  if (newsletter === undefined || newsletter.pending_verification)
    return failed("The briefing was not served after its check.")
  if (newsletter.verification !== "verified")
    return failed("The check of claims is switched off (setting pipeline.ClaimCheck).")
  const texts = served(found)
  for (const text of [plantedClaims.wrongNumber, plantedClaims.neverSaid]) {
    if (texts.includes(text)) return failed(`A false claim is served to readers: "${text}"`)
  }
  // A misrecognized sentence may rightly be removed; one spoken word for word may not.
  if ((language || !speech) && !texts.includes(plantedClaims.kept))
    return failed(`A true claim was removed: "${plantedClaims.kept}"`)
  const by = checkedBy === rulesVersion ? "by code alone" : "by code and by the model that checks"
  const [gone, left] = [newsletter.removed_sentences, texts.length]
  return passed(
    `Both planted false claims were removed, ${by}. Of ${gone + left} sentences, ${left === 1 ? "1 is" : `${left} are`} served.`
  )
}

const clips: Judge = ({ clips, files }, { spoken }) => {
  if (clips.length === 0) return failed("No clip was proposed, although an item was discussed at length.")
  const outside = clips.find(({ start, end }) => start < 0 || end > spoken.duration + 1)
  if (outside !== undefined) return failed(`The clip "${outside.title}" lies outside the recording.`)
  const rendered = files.filter(({ role, probed }) => role === "clip" && probed !== undefined)
  return rendered.length < clips.length
    ? failed(`${clips.length - rendered.length} of ${clips.length} clips cannot be played.`)
    : passed(`${clips.length} ${clips.length === 1 ? "clip" : "clips"} can be played.`)
}

const figures: Judge = ({ files }) => {
  const drawn = files.filter(({ role }) => role === "figure").length
  return drawn === 0
    ? failed("No figure was drawn, although costs of two years were said.")
    : passed(`${drawn} ${drawn === 1 ? "figure was" : "figures were"} drawn.`)
}

const recap: Judge = ({ recap }) => {
  if (recap === undefined) return failed("No recap was written.")
  if (recap.decisions.length === 0) return failed("The recap has no decision, although the council voted.")
  const wrong = recap.decisions.find(
    ({ vote }) => vote !== undefined && !spokenVote.test(vote) && !/unanim/i.test(vote)
  )
  return wrong === undefined
    ? passed("The vote is in the recap as it was said.")
    : failed(`The recap has a vote that nobody took: ${wrong.vote}`)
}

/** Everything that readers are told in other words than those of the calendar and the transcript. */
const told = ({ newsletter, recap, summary, clips, chapters }: FoundMeeting): ReadonlyArray<string> => [
  ...(newsletter === undefined || newsletter.pending_verification
    ? []
    : [
        newsletter.headline,
        ...newsletter.worth_watching.map(({ text }) => text),
        ...newsletter.topics.flatMap(({ title, sentences }) => [title, ...sentences.map(({ text }) => text)])
      ]),
  ...(recap === undefined ? [] : [recap.headline, recap.summary]),
  ...(recap?.decisions.map(({ outcome, vote = "" }) => `${outcome} ${vote}`) ?? []),
  ...(summary._tag === "Some" ? summary.value.items.map((item) => item.summary) : []),
  ...[...clips, ...chapters].map(({ title }) => title)
]

const written = [
  ...drillAgenda.map((item) => `${item.number} ${item.title} ${"description" in item ? item.description : ""}`),
  ...drillTurns.map(({ text }) => text)
].join(" ")

const publish: Judge = (found) => {
  const { meeting, listed, raw } = found
  if (meeting.status !== "held" || listed !== 1)
    return failed(`The meeting is ${meeting.status}, and ${listed} are listed.`)
  // A recognizer's own mistakes are its stage's.
  const said = [written, ...(raw?.segments.map(({ text }) => text) ?? [])].join(" ")
  const invented = told(found).find((text) => !numbersAreIn(text.replace(/(\d)\s*[-–]\s*(?=\d)/g, "$1 "), said))
  return invented === undefined
    ? passed("The meeting is listed once, as held, and readers are told no number that was not said or written.")
    : failed(`Readers are told a number that was neither said nor written: "${invented.slice(0, 100)}"`)
}

/** The stages that make something out of the transcript. */
export const makingJudges = { agenda, chapters, briefing, verify, clips, figures, recap, publish }
