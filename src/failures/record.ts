import { meetingParts } from "../../schema/part.ts"
import { wireError } from "../api/errors/classes.ts"
import { invalidRequest, shortened, unavailable } from "../api/errors/common.ts"
import type {
  BodyElsewhere,
  BodyUnsettled,
  NotFound,
  Removed,
  UnknownAgency,
  UnlistedBody
} from "../services/failures.ts"
import type { MissingPart } from "../services/meetings/missing-part.ts"
import type { BuildTooOld } from "../services/operators/health.ts"
import { refusal } from "./words.ts"

/** The message for each kind of missing object, and where to find existing ones. */
const absent = {
  meeting: ["No meeting has the id or slug", "Find meetings with GET /api/meetings/browse."],
  agency: ["No body on record is called, or used to be called,", "GET /api/agencies lists every body."],
  place: ["No place has the slug", "GET /api/places lists every place."],
  person: ["Nobody on record has the slug", "GET /api/people lists people in public office."],
  matter: ["No matter has the slug", "GET /api/matters finds matters by words and by number."],
  document: ["No document has the id", "GET /api/meetings/{id}/documents lists those of a meeting."],
  user_clip: ["You have no clip with the id", "GET /api/user-clips lists your clips."],
  location: ["No location has the place_id", "Use a place_id returned by GET /api/search/geo."],
  saved_search: ["You have no saved search with the id", "GET /api/me/saved-searches lists your saved searches."],
  mistake_report: ["No open report has the id", "The console lists the open ones under its issues."],
  reader_token: ["You have no token with the id", "/account/tokens lists your tokens."],
  session: ["Your account has no session with the id", "GET /api/me/sessions lists your sessions."],
  task: ["No task here has the id", "GET /api/agent/live lists the tasks that are running."],
  stage: ["The pipeline has no stage", "GET /api/agent/meetings/gaps names the stage that fills each gap."],
  source: ["There is no source here with the id", "GET /api/agent/sources lists every source."],
  discovered: ["The run discovered nothing with the id", "GET /api/agent/completion/{runId} lists what it discovered."],
  recording: ["The source lists no recording at", "civic-record source show names those that wait."],
  completion_run: ["No completion run has the id", "GET /api/agent/places names the open run of each place."],
  setting_family: ["There is no family of settings", "GET /api/agent lists the families."],
  meeting_of_run: [
    "The place of the run has no meeting with the id",
    "GET /api/agent/meetings lists meetings with their ids."
  ],
  place_of_run: ["The run is not about the place with the id", "GET /api/agent/completion/{runId} names its place_id."],
  token: ["No agent token has the id", "The command token list shows every token."],
  upload: ["No upload is under way with the id", "The console's page of the meeting lists its uploads."],
  removal: ["Nothing that was taken out of a transcript has the id", "The console lists what was taken out."],
  drill: [
    "No running drill has the token",
    "GET /api/agent/drills lists the drills, with the addresses of those that are running."
  ]
} as const satisfies Record<NotFound["what"], readonly [string, string]>

/** Meetings, bodies, places, and their media. */
export const recordFailures = {
  NotFound: {
    api: ({ what, ref }: NotFound) =>
      wireError("not_found", `${absent[what][0]} "${shortened(ref)}".`, absent[what][1]),
    form: () => ({ text: "It no longer exists. It may have been deleted on another page." }),
    console: ({ what, ref }: NotFound) =>
      refusal(
        404,
        `There is no ${what.replaceAll("_", " ")} ${ref} on record.`,
        "It may have been removed meanwhile. The lists show what there is."
      )
  },

  Removed: {
    api: ({ ref, reason }: Removed) =>
      wireError(
        "removed",
        `The meeting "${shortened(ref)}" was taken off the record${reason === undefined ? "" : `: ${reason.replace(/\.$/, "")}`}.`,
        "Delete any copy of it. GET /api/meetings/browse finds the meetings that are on record."
      ),
    form: () => ({ text: "The meeting was taken off the record meanwhile." }),
    console: ({ ref }: Removed) =>
      refusal(410, `The meeting ${ref} is off the record already.`, "Imported again, it is on record again.")
  },

  BodyUnsettled: {
    api: ({ source, sourceBody }: BodyUnsettled) =>
      wireError(
        "ambiguous_body",
        `It is not settled which body on record "${shortened(sourceBody)}" of this source is.`,
        `Map it with PUT /api/agent/completion/{runId}/sources/${source}/bodies, then send the request again.`
      ),
    console: ({ sourceBody }: BodyUnsettled) =>
      refusal(
        409,
        `It is not settled which body on record “${sourceBody}” is.`,
        "Map it on the page of its source, then try again."
      )
  },

  BodyElsewhere: {
    api: ({ field, slug }: BodyElsewhere) =>
      invalidRequest(
        field,
        `is about "${shortened(slug)}", which is also or only a body of another place than this run's`,
        "An operator can do this on the console."
      ),
    console: ({ slug }: BodyElsewhere) =>
      refusal(
        409,
        `The body “${slug}” is also or only one of another place.`,
        "Merge it on its own page, if that is right."
      )
  },

  UnlistedBody: {
    api: ({ field, name }: UnlistedBody) =>
      invalidRequest(
        field,
        `names "${shortened(name)}", under which the source lists nothing`,
        "Send a name that GET /api/agent/completion/{runId} lists, as the source spells it."
      ),
    command: ({ name }: UnlistedBody) =>
      `The source lists nothing under "${shortened(name)}". Run civic-record source show with its id: it lists every name.`,
    console: ({ name }: UnlistedBody) =>
      refusal(422, `The source lists nothing under “${name}”.`, "Its page lists every name, as the source spells it.")
  },

  UnknownAgency: {
    api: ({ field, slug }: UnknownAgency) =>
      invalidRequest(
        field,
        `names "${shortened(slug)}", which no body on record is called`,
        "Send a slug that GET /api/agent/agencies lists."
      ),
    console: ({ slug }: UnknownAgency) =>
      refusal(422, `No body on record is called “${slug}”.`, "Bodies lists every slug.")
  },

  MissingPart: {
    api: ({ part, meetingId }: MissingPart) =>
      wireError(
        "not_found",
        `This meeting has no ${meetingParts[part].label}.`,
        part === "raw_transcript"
          ? "Leave out raw to get the refined transcript."
          : `GET /api/meetings/${meetingId} lists what this meeting has, under links.`
      ),
    console: ({ part, meetingId }: MissingPart) =>
      refusal(404, `The meeting ${meetingId} has no ${meetingParts[part].label} on record.`),
    command: ({ part, meetingId }: MissingPart) =>
      `The meeting ${meetingId} has no ${meetingParts[part].label} on record.`
  },

  SignatureInvalid: {
    api: () =>
      wireError(
        "signature_invalid",
        "The signature (sig or eg) was not made for this object.",
        "Use the url exactly as it was returned, or fetch a new one from the operation that returned it."
      )
  },

  SignatureExpired: {
    api: () =>
      wireError(
        "signature_expired",
        "sig has expired: a signature is valid for six hours.",
        "Fetch a new url from the operation that returned this one."
      )
  },

  NotMigrated: {
    api: () => unavailable("The database is being migrated to this build's schema.", "ask again")
  },

  BuildTooOld: {
    api: ({ build, oldest, schema }: BuildTooOld) =>
      unavailable(
        `The database is at migration ${schema}, which builds before ${oldest} cannot use, and this one ends at ${build}.`,
        "ask a node with a newer build"
      )
  },

  Draining: {
    api: () => unavailable("This process is about to stop.", "ask another one, or this one again")
  }
}
