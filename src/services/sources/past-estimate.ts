import { Context, Data, type Effect } from "effect"
import type { SourceKind } from "../../../schema/agent/directory.ts"
import type { NotFound } from "../failures.ts"
import type { NoCalendarThere } from "./address-check.ts"
import type { PastRates } from "./source-past.ts"

/** What the past of a source has, as its newest and its oldest days let expect. */
export interface Survey {
  readonly readings: number
  readonly meetings: number
  readonly recordings: number
  /** Of the recordings, those that come with captions. */
  readonly captioned: number
  /** Requests of the calendar, and of the meetings' files; a stream takes one for each of its pieces beside these. */
  readonly requests: number
}

export interface PastEstimate {
  readonly survey: Survey
  readonly rates: PastRates
  /** Seconds between two requests. */
  readonly gap: number
  /** Of a minute of sound, in millionths of a US dollar; 0 if unknown. */
  readonly speech: number
}

/** Days that cannot be asked for: the source's kind of calendar has no past, or else they end before they begin. */
export class PastRefused extends Data.TaggedError("PastRefused")<{ readonly withoutPast?: SourceKind }> {}

interface Asked {
  readonly source: string
  /** Days, `YYYY-MM-DD`. */
  readonly from: string
  readonly to: string
}

/** What the past of a source takes, before anybody begins with it. */
export class PastEstimates extends Context.Service<
  PastEstimates,
  {
    /** Whether the days can be asked for. */
    readonly check: (asked: Asked) => Effect.Effect<void, NotFound | PastRefused>
    /** Reads the newest and the oldest days, and keeps nothing. */
    readonly of: (asked: Asked) => Effect.Effect<PastEstimate, NotFound | PastRefused | NoCalendarThere>
  }
>()("civic-record/PastEstimates") {}

/** How long a recording is taken to be where none of the source's bodies is on record, in seconds. */
const usualSeconds = 2 * 3600

const number = (count: number) => count.toLocaleString("en-US")
const dollars = (micros: number) => `about $${(micros / 1e6).toFixed(2)}`

/** A length of work for people. */
const worth = (seconds: number) =>
  seconds < 5400 ? `${Math.ceil(seconds / 60)} minutes` : `${(seconds / 3600).toFixed(1)} hours`

/** An estimate in sentences: requests, hours of talk, speech, language model. */
export const estimateSaid = ({ survey, rates, gap, speech }: PastEstimate): ReadonlyArray<string> => {
  const { readings, meetings, recordings, captioned, requests } = survey
  const seconds = rates.seconds ?? usualSeconds
  const isGuess = rates.seconds === null ? ", taken to last two hours each" : ", as long as those on record"
  const heard = ((recordings - captioned) * seconds) / 60
  return [
    `${number(readings)} readings of the calendar, ${number(requests)} requests with the files: ${worth(requests * gap)} at least, without the downloads`,
    `${number(meetings)} meetings, ${number(recordings)} with a recording${isGuess}: ${number(Math.round((recordings * seconds) / 3600))} hours of talk`,
    speech === 0
      ? "Speech: no price is set (prices.SpeechMicros)"
      : `Speech: ${dollars(heard * speech)} for ${number(recordings - captioned)} recordings without captions`,
    rates.model_micros === null
      ? "Language model: not known, because none was paid for yet (prices.InputMicros, prices.OutputMicros)"
      : `Language model: ${dollars(meetings * rates.model_micros)}, as meetings cost here so far`
  ]
}
