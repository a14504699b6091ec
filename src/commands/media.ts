import * as fs from "node:fs"
import * as path from "node:path"
import { Console, Effect, Layer, Option } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { captionSegments } from "../pipeline/stages/fetch/published-captions.ts"
import { digestOfFile } from "../record/digest.ts"
import { giveFile } from "../services/making/give-file.ts"
import { GivenRecordings } from "../services/making/given-recordings.ts"
import { ReceivedRecordings } from "../services/making/received-recordings.ts"
import { Meetings } from "../services/meetings/meetings.ts"
import { Flows } from "../services/queue/flows.ts"
import { Settings } from "../services/settings/settings.ts"
import { makeProgress } from "./progress.ts"

const unusable = (cause: string) => new CliError.UserError({ cause })

/** The bytes of a caption file, if it can be read as one. */
const captionsIn = Effect.fnUntraced(function* (file: string) {
  if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return yield* unusable(`--captions ${file} is no file.`)
  const bytes = fs.readFileSync(file)
  const read = yield* captionSegments(bytes)
  return read._tag === "Failure" ? yield* unusable(`--captions ${file}: ${read.failure}`) : bytes
})

/** What a page's address or a slug names: the last part of it, without its day. */
const meetingIn = (text: string): string =>
  (URL.parse(text)?.pathname ?? text)
    .split("/")
    .findLast((part) => part !== "")
    ?.replace(/^\d{4}-\d\d-\d\d-/, "") ?? text

const add = Command.make(
  "add",
  {
    meeting: Argument.String("meeting").pipe(
      Argument.withDescription("The meeting's id, its slug or its page's address")
    ),
    recording: Argument.String("file").pipe(
      Argument.withDescription("A file, or an http or https address of a file, a stream or a player's page")
    ),
    captions: Flag.File("captions").pipe(
      Flag.withDescription("Its captions (WebVTT, SRT, TTML): they are the transcript, which is refined"),
      Flag.optional
    )
  },
  ({ meeting, recording, captions }) =>
    Effect.gen(function* () {
      const words = Option.isSome(captions) ? yield* captionsIn(captions.value) : undefined
      const id = yield* Meetings.use(({ resolve }) => resolve(meetingIn(meeting)))
      const present = yield* ReceivedRecordings.use(({ present }) => present(id))
      const replaces =
        present === undefined ? "" : ` It replaces the recording that the meeting has (${present.address}).`
      const next = "What is made of it follows; civic-record serve or worker must be running."
      if (/^https?:\/\//i.test(recording)) {
        yield* GivenRecordings.use(({ fromAddress }) => fromAddress(id, recording, words))
        return yield* Console.log(`The recording is fetched next.${replaces} ${next}`)
      }
      const stat = fs.statSync(recording, { throwIfNoEntry: false })
      if (!stat?.isFile()) return yield* unusable(`${recording} is neither a file nor an http or https address.`)
      yield* Renderer.use(({ look }) => look(recording)).pipe(
        Effect.catchIf(
          ({ reason }) => reason === "input_unreadable",
          ({ message }) => Effect.fail(unusable(`${recording} is no recording that can be read. ${message}`))
        )
      )
      const isKnown = present?.bytes === stat.size && present.digest === (yield* digestOfFile(recording))
      if (isKnown && words === undefined) return yield* Console.log("It is the meeting's recording already.")
      const progress = makeProgress("MB")
      const about = { name: path.basename(recording), modified: Math.round(stat.mtimeMs), captions: words }
      yield* giveFile(id, recording, about, (received, of) =>
        progress.show(Math.round(received / 1e6), received / of)
      ).pipe(
        Effect.ensuring(progress.clear),
        Effect.onInterrupt(() =>
          Console.error("Stopped. What has arrived is kept for a week: run it again to go on from there.")
        )
      )
      yield* Console.log(`${about.name} has arrived whole.${replaces} ${next}`)
    })
).pipe(
  Command.withDescription(
    "Give a meeting a recording. It replaces the one it has, and what depends on it is made again. The same file twice changes nothing; an upload that stopped goes on when it is run again"
  )
)

export const media = Command.make("media").pipe(
  Command.withDescription("Give meetings recordings from a disk or an address"),
  Command.withSubcommands([add]),
  Command.provide(
    Layer.mergeAll(GivenRecordings.layer, ReceivedRecordings.layer, Meetings.fromPrimary).pipe(
      Layer.provide([Flows.layer, Settings.layer])
    )
  ),
  Command.provide(Renderer.layer),
  Command.provide(ObjectStore.layer),
  Command.provide(CommandDb)
)
