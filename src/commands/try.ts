import * as fs from "node:fs"
import { text } from "node:stream/consumers"
import { Console, Data, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { agendaAddresses, redact } from "../pipeline/redact/redact.ts"

class Unreadable extends Data.TaggedError("Unreadable")<{ readonly file: string; readonly cause: unknown }> {
  override get message(): string {
    return `${this.file} cannot be read. Name a text file, or - for the standard input.`
  }
}

const file = Argument.String("file").pipe(Argument.withDescription("A text file, or - for the standard input"))

/** The lines of a file; the end of the last line begins no other. */
const linesOf = Effect.fnUntraced(function* (named: string) {
  const whole = yield* Effect.tryPromise({
    try: () => text(named === "-" ? process.stdin : fs.createReadStream(named)),
    catch: (cause) => new Unreadable({ file: named, cause })
  })
  const lines = whole.split(/\r?\n/u)
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines
})

const agenda = Flag.String("agenda").pipe(
  Flag.withDescription("A text file with the agenda, whose addresses are public and stay"),
  Flag.optional
)

const tryRedact = Command.make("redact", { file, agenda }, ({ file: named, agenda: agendaFile }) =>
  Effect.gen(function* () {
    const lines = yield* linesOf(named)
    const known = agendaFile._tag === "Some" ? agendaAddresses(yield* linesOf(agendaFile.value)) : new Set<string>()
    const { segments } = redact(
      lines.map((line, at) => ({ start: at, end: at + 1, text: line })),
      known
    )
    for (const segment of segments) yield* Console.log(segment.text)
  })
).pipe(
  Command.withDescription(
    "Print a transcript, one segment per line, as it would be published: without the home addresses that people say"
  )
)

export const tryStages = Command.make("try").pipe(
  Command.withDescription("Try a stage of the pipeline on a file, without a database"),
  Command.withSubcommands([tryRedact])
)
