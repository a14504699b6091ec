import { v5 } from "uuid"
import { AgendaItemId, ClaimId, ClipId, FigureId, MeetingId } from "../../../schema/primitives.ts"

/**
 * Ids of the sample are UUIDv5 (RFC 9562) of natural keys in this namespace, so that importing again changes nothing.
 */
const nameSpace = "c1d6a2f4-7b0e-5d3c-8e21-90f4b7a6d3c2"

const id = (...key: ReadonlyArray<string>) => v5(key.join("\n"), nameSpace)

export const meetingId = (body: string, key: string): MeetingId => MeetingId.make(id("meeting", body, key))
export const agendaItemId = (meeting: MeetingId, number: string): AgendaItemId =>
  AgendaItemId.make(id("agenda item", meeting, number))
export const figureId = (meeting: MeetingId, key: string): FigureId => FigureId.make(id("figure", meeting, key))
export const clipId = (meeting: MeetingId, key: string): ClipId => ClipId.make(id("clip", meeting, key))
export const documentId = (meeting: MeetingId, key: string): string => id("document", meeting, key)
export const membershipId = (body: string, person: string): string => id("membership", body, person)
/** By its position among the meeting's votes. */
export const voteId = (meeting: MeetingId, from: string, position: string): string =>
  id("vote", meeting, from, position)
/** By its position in the briefing, so that correcting a sentence keeps its claim. */
export const claimId = (meeting: MeetingId, position: number): ClaimId =>
  ClaimId.make(id("claim", meeting, String(position)))
