import { marks } from "../../text/redact/marks.ts"
import { type FoundMeeting, sha256 } from "../found.ts"
import { drillBody, drillFollower, drillTitle, spokenAddress } from "../script.ts"
import { failed, type Judge, notJudged, passed } from "./verdict.ts"
import { heardWords, onTimeWithin } from "./words.ts"

/**
 * The share of spoken words that must be recognized. A good engine reaches it even where it writes numbers as digits.
 */
const leastWords = 0.8
/** The share of recognized words that must begin within half a second of when they were spoken. */
const leastOnTime = 0.95
/** The share of recognized words that must survive refinement. */
const leastKept = 0.9

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`

const crawl: Judge = ({ meeting }, { date, starts_at }, { meetings }) => {
  if (meetings !== 1) return failed(`${meetings} meetings are on record instead of one.`)
  const wrong = [
    meeting.body === drillBody ? [] : `its body is "${meeting.body}"`,
    meeting.title === drillTitle ? [] : `its title is "${meeting.title}"`,
    meeting.date === date ? [] : `its day is ${meeting.date}`,
    meeting.starts_at?.getTime() === Date.parse(starts_at) ? [] : "its hour is another"
  ].flat()
  return wrong.length === 0
    ? passed("The meeting is on record with its body, day, hour and title.")
    : failed(`The meeting is on record, but ${wrong.join(" and ")}.`)
}

const detect: Judge = ({ meeting }) =>
  meeting.status === "held"
    ? passed("The meeting is known to have been held.")
    : failed(`It is taken to be ${meeting.status}.`)

const fetch: Judge = ({ files }, { recording, agenda }) => {
  for (const [role, file, name] of [
    ["source", recording, "recording"],
    ["agenda", agenda, "agenda"]
  ] as const) {
    const found = files.find((one) => one.role === role)
    if (found === undefined) return failed(`The ${name} was not fetched.`)
    if (found.sha256 !== sha256(file)) return failed(`The ${name} has other bytes than were served.`)
  }
  return passed("Recording and agenda are the same, byte for byte.")
}

const render: Judge = ({ files }, { spoken }) => {
  const probed = files.find(({ role }) => role === "rendition")?.probed
  if (probed === undefined) return failed("The rendition cannot be played.")
  const off = Math.abs(probed.duration - spoken.duration)
  if (off > 1) return failed(`The rendition is ${off.toFixed(1)} s longer or shorter than the recording.`)
  if (probed.height !== 720) return failed(`The rendition is ${probed.height} pixels high instead of 720.`)
  return files.some(({ role }) => role === "poster")
    ? passed(`The rendition can be played: ${probed.duration.toFixed(1)} s at 720p, with a poster.`)
    : failed("There is no poster.")
}

const wordsOf = (transcript: FoundMeeting["raw"]) =>
  transcript?.segments.flatMap(({ words, text, start, end }) => words ?? [{ text, start, end }]) ?? []

/** The recognized words compared with the spoken ones; undefined if nothing was recognized. */
export const heard = ({ raw }: FoundMeeting, { spoken }: Parameters<Judge>[1]) =>
  raw === undefined
    ? undefined
    : heardWords(
        spoken.segments.flatMap(({ words }) => words),
        wordsOf(raw)
      )

const transcribe: Judge = (found, truth) => {
  const words = heard(found, truth)
  if (words === undefined) return failed("Nothing was heard.")
  const { share, onTime, largest } = words
  const said = `${percent(share)} of the spoken words were found`
  if (share < leastWords) return failed(`Only ${said}; ${percent(leastWords)} are needed.`)
  const times = `${percent(onTime)} of them within ${onTimeWithin} s of when they were spoken (largest error ${largest.toFixed(2)} s)`
  return onTime < leastOnTime ? failed(`${said}, but only ${times}.`) : passed(`${said}, ${times}.`)
}

const refine: Judge = ({ raw, refined, shown }, _, { language }) => {
  if (raw === undefined || refined === undefined) return failed("There is no refined transcript.")
  if (shown.some(({ text }) => spokenAddress.test(text)))
    return failed("The home address that was spoken is shown to readers.")
  const kept = heardWords(wordsOf(raw), wordsOf(refined))
  if (kept.share < leastKept) return failed(`Only ${percent(kept.share)} of the words that were heard are left.`)
  if (!spokenAddress.test(raw.segments.map(({ text }) => text).join(" "))) {
    return notJudged("The home address was not heard, so there was none to remove.")
  }
  if (!refined.segments.some(({ text }) => text.includes(marks.home)))
    return failed("Nothing stands where the home address was spoken.")
  const rest = language ? "" : " Not judged: names and punctuation, no language model is configured."
  return passed(`The spoken home address is removed, and ${percent(kept.share)} of the words are kept.${rest}`)
}

const mail: Judge = (_, __, { mails }) => {
  const [only] = mails
  if (only === undefined) return failed("No recap was mailed.")
  if (mails.length > 1) return failed(`${mails.length} mails were sent instead of one.`)
  return new RegExp(`^to: .*${drillFollower}`, "im").test(only)
    ? passed("The recap was mailed once, to the drill's own follower.")
    : failed("The recap was mailed to somebody else.")
}

/** The stages that bring a meeting in, and the last stage. */
export const bringingJudges = { crawl, detect, fetch, render, transcribe, refine, mail }
