import type { BundleAgency } from "../../../schema/bundle.ts"
import type { ClipState } from "../../../schema/clip.ts"

/**
 * The form in which the meetings of the sample are written: text where people would write text. The meaning of a line:
 *
 * - `agenda`: `number | title | description | outcome`; the last two may be missing.
 * - `script`: `@number | chapter` begins an agenda item (`@ | chapter` only a chapter), and `Name: what is said` is one
 *   turn; `Name #label: ...` names the turn, so that a briefing can cite it and a clip can begin there.
 * - `briefing`: first the headline; `* text #label` is worth watching; `== title %figure` begins a topic; any other line
 *   is a sentence, with the labels it cites at its end. `!unsupported` and `!contradicted` are what the check found;
 *   a sentence that cites nothing makes no claim.
 * - `decisions`: `number | outcome | vote`. `agendaSummary`: `number | summary`.
 *
 * In every text `{+14}` is the day that many days after the meeting ("March 24"), and `{year}` and `{year+1}` its year.
 */
export interface AuthoredMeeting {
  /** Identifies it within its body forever: its ids come from this, never from a date. */
  readonly key: string
  /** The body's weekday, counted in weeks before (-1 is the last) or after (1 is the next) the day of the import. */
  readonly weeks: number
  readonly title: string
  /** Wall-clock time in the body's zone, `HH:MM`, where it is not the usual one. */
  readonly at?: string
  readonly cancelled?: true
  readonly agenda: string
  readonly script?: string
  /** Which versions of the transcript there are; `refined` by default. */
  readonly transcripts?: "refined" | "both" | "raw"
  /** What the recognizer heard instead of a word, by the word in lower case; it may be several words. */
  readonly misheard?: Readonly<Record<string, string>>
  /** There is a recording, as long as the script. */
  readonly recorded?: true
  readonly briefing?: string
  /** The claims of the briefing have not been checked. */
  readonly unchecked?: true
  readonly figures?: ReadonlyArray<AuthoredFigure>
  readonly recap?: { readonly headline: string; readonly summary: string; readonly decisions: string }
  readonly agendaSummary?: string
  readonly clips?: ReadonlyArray<AuthoredClip>
}

/** A chart: one bar or point per value, in order. */
export interface AuthoredFigure {
  readonly key: string
  readonly title: string
  readonly alt: string
  readonly mark: "bar" | "line"
  /** What the values describe, and their unit. */
  readonly x: string
  readonly y: string
  readonly values: ReadonlyArray<readonly [label: string, value: number]>
}

/** A highlight from the beginning of one turn to the end of another. */
interface AuthoredClip {
  readonly key: string
  readonly title: string
  readonly from: string
  readonly to: string
  /** Number of the agenda item. */
  readonly item?: string
  readonly state: ClipState
}

/** A body and its meetings. */
export interface AuthoredBody {
  readonly name: string
  readonly kind: BundleAgency["kind"]
  /** Slugs; the first gives the body its path. */
  readonly places: readonly [string, ...ReadonlyArray<string>]
  readonly retired?: ReadonlyArray<string>
  /** The host its web pages would have. */
  readonly host: string
  /** 0 is Sunday. */
  readonly weekday: number
  /** Wall-clock time, `HH:MM`. */
  readonly at: string
  readonly room: string
  /** The name shown for a name in the scripts; a name that is not here is shown as it is. */
  readonly speakers: Readonly<Record<string, string>>
  readonly meetings: ReadonlyArray<AuthoredMeeting>
}
