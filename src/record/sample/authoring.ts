import type { BundleAgency } from "../../../schema/bundle.ts"
import type { ClipState } from "../../../schema/clip.ts"

/**
 * The form in which the meetings of the sample are written. It is text where people would write text; what a line means:
 *
 * - `agenda`: `number | title | description | outcome`, the last two may be missing.
 * - `script`: `@number | chapter` begins an agenda item (`@ | chapter` only a chapter), and `Name: what is said` is one
 *   turn; `Name #label: ...` names the turn, so that a briefing can cite it and a clip can begin there.
 * - `briefing`: first the headline; `* text #label` is worth watching; `== title %figure` begins a topic; any other line
 *   is a sentence, with the labels it cites at its end. `!unsupported` and `!contradicted` are what the check found of
 *   it; a sentence that cites nothing makes no claim.
 * - `decisions`: `number | outcome | vote`. `agendaSummary`: `number | summary`.
 *
 * In every text `{+14}` is the day so many days after the meeting ("March 24"), and `{year}`, `{year+1}` its year.
 */
export interface AuthoredMeeting {
  /** Tells it apart within its body for ever: its ids are made of this, never of a date. */
  readonly key: string
  /** The weekday of the body so many weeks before (-1 is the last) or after (1 is the next) the day of the import. */
  readonly weeks: number
  readonly title: string
  /** Wall-clock time in the body's zone where it is not the usual one, `HH:MM`. */
  readonly at?: string
  readonly cancelled?: true
  readonly agenda: string
  readonly script?: string
  /** Which versions of the transcript there are; `refined` where nothing is said. */
  readonly transcripts?: "refined" | "both" | "raw"
  /** Names that the recogniser heard wrong here, by the lower-case word; more than one word may come out. */
  readonly misheard?: Readonly<Record<string, string>>
  /** There is a recording, as long as the script. */
  readonly recorded?: true
  readonly briefing?: string
  /** The check of the briefing's claims has not been made. */
  readonly unchecked?: true
  readonly figures?: ReadonlyArray<AuthoredFigure>
  readonly recap?: { readonly headline: string; readonly summary: string; readonly decisions: string }
  readonly agendaSummary?: string
  readonly clips?: ReadonlyArray<AuthoredClip>
}

/** A chart: one bar or point for each value, in their order. */
export interface AuthoredFigure {
  readonly key: string
  readonly title: string
  readonly alt: string
  readonly mark: "bar" | "line"
  /** What the values are of, and in what they are counted. */
  readonly x: string
  readonly y: string
  readonly values: ReadonlyArray<readonly [label: string, value: number]>
}

/** A highlight from the beginning of one turn to the end of another. */
export interface AuthoredClip {
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
  /** The name shown for a name in the scripts; one that is not here is shown as it is. */
  readonly speakers: Readonly<Record<string, string>>
  readonly meetings: ReadonlyArray<AuthoredMeeting>
}
