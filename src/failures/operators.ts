import type { SourceKind } from "../../schema/agent/directory.ts"
import { wireError } from "../api/errors/classes.ts"
import { shortened } from "../api/errors/common.ts"
import type { ClipNotFound } from "../services/clips/curated-clips.ts"
import type { SameBody } from "../services/directory/agency-merge.ts"
import type { PlaceInUse } from "../services/directory/place-removal.ts"
import { type MergedSince, type ReversalNotFound, undoneWithin } from "../services/directory/reversals.ts"
import { type InvalidCorrection, longestTitle } from "../services/feed/meeting-corrections.ts"
import type { OutOfStep, UnfitUpload } from "../services/making/given-recordings.ts"
import type { TranscriptImported, WordsNotKept, WordsNotSaid } from "../services/making/removals.ts"
import type { SamePerson } from "../services/people/person-merge.ts"
import { type InvalidValue, settingForms, type UnknownSetting } from "../services/settings/settings.ts"
import type { NoCalendarThere } from "../services/sources/address-check.ts"
import type { PastRefused } from "../services/sources/past-estimate.ts"
import type { SourceKnown } from "../services/sources/source-changes.ts"
import type { PlaceUnclear } from "../services/sources/typed-places.ts"
import { refusal } from "./words.ts"

/** How to authenticate (RFC 6750, section 3). There is no protected-resource metadata to point to (spec section 5). */
const challenge = (error?: "invalid_token" | "insufficient_scope") => ({
  "www-authenticate": `Bearer realm="agent"${error === undefined ? "" : `, error="${error}"`}`
})

const invalidCorrections = {
  title: `The title must have 1 to ${longestTitle} characters.`,
  date: "The date must be a day that exists, such as 2026-03-10."
} as const satisfies Record<InvalidCorrection["field"], string>

const notSaid = (second: number) =>
  `No line at second ${second} has these words: write them as the transcript has them, without marks, and a second at which their line is said.`

const noPast = (kind: SourceKind | undefined) =>
  kind === undefined ? undefined : `A calendar of the kind ${kind} lists only what is new: it has no past to be read.`

const unclear = ({ typed, near }: PlaceUnclear) =>
  near.length > 0
    ? `No one place is “${shortened(typed)}”. Give one of these if it is meant, as it is written here: ${near.join("; ")}.`
    : `No place on record is “${shortened(typed)}”, and the gazetteer knows none. Give its name and its state, such as “Emporia, KS”.`

/** Failures of operating the service: by program, on the console, at the terminal. */
export const operatorFailures = {
  AgentTokenRequired: {
    api: () =>
      wireError(
        "agent_token_required",
        "This needs an agent token, and the request has none in its Authorization header.",
        "Send Authorization: Bearer cr_agent_…; an operator mints a token on the console or with the command token mint.",
        challenge()
      )
  },

  AgentTokenInvalid: {
    api: () =>
      wireError(
        "agent_token_invalid",
        "The agent token is unknown or was revoked.",
        "Ask an operator to mint a new token for this machine.",
        challenge("invalid_token")
      )
  },

  AgentTokenReadOnly: {
    api: () =>
      wireError(
        "agent_token_read_only",
        "The agent token was not minted for this completion run, so it changes nothing here.",
        "Ask an operator for a token of the run: civic-record token mint --machine NAME --run ID.",
        challenge("insufficient_scope")
      )
  },

  ClipNotFound: {
    console: ({ id }: ClipNotFound) =>
      refusal(404, `There is no clip ${id}.`, "It may have been removed meanwhile. Clips lists those on record."),
    command: ({ id }: ClipNotFound) => `There is no clip ${id}. The ids are in the bundle that the clips came with.`
  },

  InvalidCorrection: {
    console: ({ field }: InvalidCorrection) => refusal(422, invalidCorrections[field])
  },

  /** The form's own message says which field is wrong and what to enter instead. */
  InvalidForm: {
    console: ({ message }: { readonly message: string }) => refusal(422, message)
  },

  UnfitUpload: {
    console: ({ field, problem }: UnfitUpload) => refusal(422, `${field} ${problem}.`)
  },

  OutOfStep: {
    console: ({ received, bytes, next }: OutOfStep) =>
      refusal(
        409,
        `The upload stands at byte ${received} of ${bytes}.`,
        next === 0 ? "It has all of the file: finish it." : `Send the ${next} bytes from there on.`
      )
  },

  UnknownSetting: {
    console: ({ setting }: UnknownSetting) => refusal(404, `There is no setting ${setting}.`, "Settings lists all."),
    command: ({ setting }: UnknownSetting) =>
      `There is no setting ${setting}. The settings are ${Object.keys(settingForms).join(", ")}.`
  },

  InvalidValue: {
    console: ({ setting }: InvalidValue) => refusal(422, `${setting} must be ${settingForms[setting].mustBe}.`)
  },

  NewerFlow: {
    console: () => refusal(409, "A newer flow for the same subject is under way.", "Look at its tasks instead."),
    command: () => "A newer flow for the same subject is under way: look at its tasks instead."
  },

  NoCalendarThere: {
    console: ({ message, isUnread = false }: NoCalendarThere) => ({
      ...refusal(
        422,
        `url: ${isUnread ? "the address could not be read" : "the address was asked, and is not such a calendar"}. ${message}`
      ),
      anyway: "Save it anyway"
    }),
    command: ({ message }: NoCalendarThere) => message
  },

  PastRefused: {
    console: ({ withoutPast }: PastRefused) => refusal(422, noPast(withoutPast) ?? "from must not be after to."),
    command: ({ withoutPast }: PastRefused) =>
      noPast(withoutPast) ?? "The day of --from must not be after that of --to."
  },

  PlaceUnclear: {
    console: (failure: PlaceUnclear) => refusal(422, `place: ${unclear(failure)}`),
    command: unclear
  },

  PlaceInUse: {
    command: ({ slug, bodies, sources }: PlaceInUse) =>
      bodies.length > 0
        ? `${slug} is served by ${bodies.slice(0, 5).join(", ")}${bodies.length > 5 ? ` and ${bodies.length - 5} more` : ""}: remove or merge ${bodies.length === 1 ? "it" : "them"} first.`
        : `The place ${slug} stays: its sources list meetings of bodies elsewhere (${sources} ${sources === 1 ? "does" : "do"}).`
  },

  SourceKnown: {
    console: ({ id }: SourceKnown) => refusal(409, `Another source has this address: ${id}.`),
    command: ({ id }: SourceKnown) => `Another source has this address: ${id}. Remove one of the two.`
  },

  ReversalNotFound: {
    console: ({ id }: ReversalNotFound) =>
      refusal(404, `There is no merge or move ${id}.`, `Each can be undone for ${undoneWithin} days.`),
    command: ({ id }: ReversalNotFound) =>
      `There is no merge or move ${id}: each can be undone for ${undoneWithin} days, and agency moves lists them.`
  },

  MergedSince: {
    console: ({ slug }: MergedSince) => refusal(409, `${slug} was itself merged since.`, "Undo that merge first."),
    command: ({ slug }: MergedSince) => `${slug} was itself merged since: undo that merge first.`
  },

  TranscriptImported: {
    console: () =>
      refusal(
        409,
        "The transcript was imported, and what was imported is not changed here.",
        "Correct it where it came from and import it again, or take it off the record: civic-record remove transcript."
      ),
    command: ({ meetingId }: TranscriptImported) =>
      `The transcript of ${meetingId} was imported: correct it where it came from and import it again, or take it off the record with remove transcript.`
  },

  WordsNotKept: {
    console: () =>
      refusal(
        410,
        "These words are no longer kept, so they cannot be put back.",
        "The setting pipeline.KeepRemovedWords says for how long they are. Refining the meeting again finds them anew."
      ),
    command: ({ id }: WordsNotKept) =>
      `The words of ${id} are no longer kept (pipeline.KeepRemovedWords). Refining the meeting again finds them anew.`
  },

  WordsNotSaid: {
    console: ({ second }: WordsNotSaid) => refusal(422, notSaid(second)),
    command: ({ second }: WordsNotSaid) => notSaid(second)
  },

  SameBody: {
    console: ({ slug }: SameBody) => refusal(422, `${slug} is the same body: name two different ones.`)
  },

  SamePerson: {
    console: ({ slug }: SamePerson) => refusal(422, `${slug} is the same person: name two different ones.`),
    command: ({ slug }: SamePerson) => `${slug} is the same person: name two different ones.`
  }
}
