import { v5 } from "uuid"
import { AgendaItemId, MeetingId } from "../../../schema/primitives.ts"

/** Imported entities have UUIDv5 ids (RFC 9562) of a natural key in this namespace, so that their ids never change. */
const nameSpace = "447efcff-87ea-4657-9c0a-c0b0b20d7735"

const unchecked = { disableChecks: true }

/** The id of a meeting, from a key that identifies it in its source forever. */
export const meetingId = (...key: ReadonlyArray<string>): MeetingId =>
  MeetingId.make(v5(["meeting", ...key].join("\n"), nameSpace), unchecked)

const uuidOf = (...key: ReadonlyArray<string>): string => v5(key.join("\n"), nameSpace)

/** The id of a vote, from a key that identifies it in its source forever. */
export const voteId = (...key: ReadonlyArray<string>): string => uuidOf("vote", ...key)

/** The id of a seat or an office, from a key that identifies it in its source forever. */
export const membershipId = (...key: ReadonlyArray<string>): string => uuidOf("membership", ...key)

/** The id of an agenda item, from a key that identifies it in its source forever. */
export const agendaItemId = (...key: ReadonlyArray<string>): AgendaItemId =>
  AgendaItemId.make(v5(["agenda item", ...key].join("\n"), nameSpace), unchecked)
