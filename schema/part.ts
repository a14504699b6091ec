import { Struct } from "effect"

/** A part that a meeting can have. */
interface PartForm {
  /** For readers: completes "This meeting has no". */
  readonly label: string
  /** The stage that makes it; to fill the gap, it runs again with those that follow it. */
  readonly stage?: string
  /** Whether a held meeting without it has a gap. */
  readonly isGap?: true
  /** Whether stages note that they made it (`made_part`), because a part that was imported is never replaced. */
  readonly isNoted?: true
  /** Whether browse can be asked for the meetings that have it (`has`). */
  readonly isFilter?: true
  /** Where readers fetch it: its name in a meeting's `links`, and the last segment of the path if that is another. */
  readonly link?: { readonly name: string; readonly segment?: string; readonly isOpen?: true }
}

/**
 * The parts of a meeting, in the order in which they are listed. Which of them a meeting has is SQL, beside the queries
 * that use it (src/services/meetings/part-sql.ts).
 */
export const meetingParts = {
  /** The web rendition of the recording. */
  video: { label: "recording", stage: "render", isGap: true, isFilter: true, link: { name: "video" } },
  /** The items of the agenda; readers are told of an agenda also if it is a file alone. */
  agenda: { label: "agenda", stage: "fetch", isGap: true, isNoted: true, isFilter: true },
  /** The agenda as a PDF; `agenda` in links. */
  agenda_copy: { label: "copy of its agenda", stage: "fetch", link: { name: "agenda" } },
  raw_transcript: { label: "raw transcript", stage: "transcribe", isNoted: true },
  /** The transcript that stages leave is the refined one; readers are shown a raw one if it stands alone. */
  transcript: {
    label: "transcript",
    stage: "transcribe",
    isGap: true,
    isNoted: true,
    isFilter: true,
    link: { name: "transcript" }
  },
  agenda_summary: {
    label: "agenda summary",
    stage: "agenda",
    isGap: true,
    isNoted: true,
    link: { name: "agenda_summary", segment: "agenda-summary", isOpen: true }
  },
  chapters: { label: "chapters", stage: "chapters", isGap: true, isNoted: true },
  briefing: {
    label: "briefing",
    stage: "briefing",
    isGap: true,
    isNoted: true,
    isFilter: true,
    link: { name: "newsletter" }
  },
  /** The checked claims of the briefing. */
  claims: { label: "checked claims", stage: "verify", isGap: true, isFilter: true, link: { name: "claims" } },
  /** Curated clips. */
  clips: {
    label: "clips",
    stage: "clips",
    isGap: true,
    isNoted: true,
    isFilter: true,
    link: { name: "clips", isOpen: true }
  },
  /** Clips that readers cut. */
  community_clips: {
    label: "clips by readers",
    link: { name: "community_clips", segment: "community-clips", isOpen: true }
  },
  figures: { label: "figures", stage: "figures", isGap: true, isNoted: true, link: { name: "graphics" } },
  recap: { label: "recap", stage: "recap", isGap: true, isNoted: true, isFilter: true, link: { name: "recap" } }
} as const satisfies Readonly<Record<string, PartForm>>

export type MeetingPart = keyof typeof meetingParts

/** The parts with a trait. */
type PartsWith<Trait extends object> = {
  [Part in MeetingPart]: (typeof meetingParts)[Part] extends Trait ? Part : never
}[MeetingPart]

export type MeetingGap = PartsWith<{ readonly isGap: true }>
export type NotedPart = PartsWith<{ readonly isNoted: true }>
export type FilterPart = PartsWith<{ readonly isFilter: true }>
export type LinkedPart = PartsWith<{ readonly link: object }>

export const partNames = Struct.keys(meetingParts)

/** What a held meeting can lack. */
export const meetingGaps = partNames.filter((part): part is MeetingGap => "isGap" in meetingParts[part])
export const filterParts = partNames.filter((part): part is FilterPart => "isFilter" in meetingParts[part])
export const linkedParts = partNames.filter((part): part is LinkedPart => "link" in meetingParts[part])
