import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { keepSampleMedia, putSample, removeSample } from "../record/sample/sample-record.ts"
import { RemovedMedia } from "../services/clips/removed-media.ts"
import { Settings } from "../services/settings/settings.ts"

export const sample = Command.make(
  "sample",
  {
    remove: Flag.Boolean("remove").pipe(
      Flag.withDescription("Remove the sample from the record, for good"),
      Flag.withDefault(false)
    )
  },
  ({ remove }) =>
    Effect.gen(function* () {
      if (remove) {
        const { meetings, bodies, kept } = yield* removeSample
        yield* RemovedMedia.use(({ sweep }) => sweep)
        const stay = kept === 0 ? "" : ` ${kept} of its bodies stay, because other records use them.`
        return yield* Console.log(`The sample is off the record: ${meetings} meetings and ${bodies} bodies.${stay}`)
      }
      yield* putSample
      yield* Console.log(
        "The sample is on record. Its recordings, agendas and figures are being made; this takes a while."
      )
      const made = yield* keepSampleMedia
      yield* Console.log(`${made} media files were added.`)
    })
).pipe(
  Command.withDescription("Put the sample record (a made-up county) on record, around today"),
  Command.provide(RemovedMedia.layer),
  Command.provide(Renderer.layer),
  Command.provide(ObjectStore.layer),
  Command.provide(Settings.layer),
  Command.provide(CommandDb)
)
