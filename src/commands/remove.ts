import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { RemovedMedia } from "../services/clips/removed-media.ts"
import { AgencyRemoval } from "../services/directory/agency-removal.ts"
import { PlaceRemoval } from "../services/directory/place-removal.ts"
import { MeetingRemoval } from "../services/feed/meeting-removal.ts"

/** In characters: it is shown in a sentence. */
const longestReason = 500

const reason = Flag.String("reason").pipe(
  Flag.withDescription("Why, in one sentence; readers who open a removed meeting are shown it"),
  Flag.map((text) => text.replace(/\s+/g, " ").trim()),
  Flag.filter(
    (text) => text !== "" && text.length <= longestReason,
    () => `must be 1 to ${longestReason} characters`
  )
)

const meeting = Command.make(
  "meeting",
  { id: Argument.String("id").pipe(Argument.withDescription("The meeting's id or slug")), reason },
  ({ id, reason }) =>
    Effect.gen(function* () {
      const { slug } = yield* (yield* MeetingRemoval).remove(id, reason)
      yield* RemovedMedia.use(({ sweep }) => sweep)
      yield* Console.log(`${slug} is off the record, with its media. Its addresses answer 410 with the reason.`)
    })
).pipe(Command.withDescription("Remove a meeting with all that belongs to it"))

const transcript = Command.make(
  "transcript",
  { id: Argument.String("id").pipe(Argument.withDescription("The id or slug of the transcript's meeting")), reason },
  ({ id, reason }) =>
    Effect.gen(function* () {
      const meetingId = yield* (yield* MeetingRemoval).removeTranscript(id, reason)
      yield* Console.log(`The transcript of ${meetingId} is off the record. The meeting itself stays.`)
    })
).pipe(Command.withDescription("Remove what was said at a meeting, and keep the meeting"))

const agency = Command.make(
  "agency",
  { id: Argument.String("id").pipe(Argument.withDescription("The body's slug")), reason },
  ({ id, reason }) =>
    Effect.gen(function* () {
      const { meetings } = yield* (yield* AgencyRemoval).remove(id, reason)
      yield* RemovedMedia.use(({ sweep }) => sweep)
      yield* Console.log(
        `${id} is off the record. Meetings removed with it: ${meetings}; their addresses answer 410 with the reason.`
      )
    })
).pipe(Command.withDescription("Remove a body with all of its meetings"))

const place = Command.make(
  "place",
  { id: Argument.String("id").pipe(Argument.withDescription("The place's slug")) },
  ({ id }) =>
    Effect.gen(function* () {
      yield* PlaceRemoval.use(({ remove }) => remove(id))
      yield* Console.log(`${id} is off the record.`)
    })
).pipe(Command.withDescription("Remove a place that no body serves and no source is about"))

export const remove = Command.make("remove").pipe(
  Command.withDescription("Take something off the record"),
  Command.withSubcommands([meeting, transcript, agency, place]),
  Command.provide(MeetingRemoval.layer),
  Command.provide(AgencyRemoval.layer),
  Command.provide(PlaceRemoval.layer),
  Command.provide(RemovedMedia.layer),
  Command.provide(ObjectStore.layer),
  Command.provide(CommandDb)
)
