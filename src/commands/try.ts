import * as fs from "node:fs"
import { text } from "node:stream/consumers"
import { Console, Data, Effect, Option, Predicate, Result, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CheckModelLive } from "../../layers/cloud-model/check-model.ts"
import { NonEmptyText } from "../../schema/primitives.ts"
import { check } from "../pipeline/stages/verify/check.ts"
import { decoder } from "../record/formats/decode.ts"
import { agendaAddresses, redact } from "../text/redact/redact.ts"
import { Ended } from "./ended.ts"

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
  const lines = whole.replace(/^\uFEFF/u, "").split(/\r?\n/u)
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines
})

/** Prints a line and waits until it is written: a slow reader of the pipe would otherwise lose the end of it. */
const print = (line: string) =>
  Effect.callback<void>((resume) => {
    process.stdout.write(`${line}\n`, () => resume(Effect.void))
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
    for (const segment of segments) yield* print(segment.text)
  })
).pipe(
  Command.withDescription(
    "Print a transcript, one segment per line, as it would be published: without the home addresses that people say"
  )
)

/** One line of `try verify`. */
const Line = Schema.Struct({
  claim: NonEmptyText,
  evidence: Schema.Union([Schema.String, Schema.Array(Schema.String)])
})
/**
 * The most that is checked at a time, in characters: no claim is longer than a paragraph, no meeting longer than its
 * transcript.
 */
const longestClaim = 5000
const longestEvidence = 2_000_000

/** The field of a line that is too long to be checked, and its limit. */
const excessOf = ({ claim, evidence }: typeof Line.Type) => {
  if (claim.length > longestClaim) return { field: "claim", most: longestClaim }
  const length = Predicate.isString(evidence) ? evidence.length : evidence.reduce((sum, text) => sum + text.length, 0)
  return length > longestEvidence ? { field: "evidence", most: longestEvidence } : undefined
}

const jsonOf = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const decodeLine = decoder(Line)

const tryVerify = Command.make("verify", { file }, ({ file: named }) =>
  Effect.gen(function* () {
    let isSound = true
    for (const [at, line] of (yield* linesOf(named)).entries()) {
      if (line.trim() === "") continue
      const read = Option.match(jsonOf(line), {
        onNone: () => Result.fail({ field: "", message: "must be a JSON object on one line" }),
        onSome: decodeLine
      })
      if (Result.isFailure(read)) {
        isSound = false
        const { field, message: demand } = read.failure
        const message = field === "evidence" ? "must be a string or a list of strings" : demand
        yield* Console.error(`line ${at + 1}: ${field === "" ? "" : `${field}: `}${message}`)
        continue
      }
      const excess = excessOf(read.success)
      if (excess !== undefined) {
        isSound = false
        const most = excess.most.toLocaleString("en-US")
        yield* Console.error(`line ${at + 1}: ${excess.field}: must be at most ${most} characters; shorten it`)
        continue
      }
      const { claim, evidence } = read.success
      const said = (Predicate.isString(evidence) ? [evidence] : evidence).map((text) => ({ text }))
      const { verdict, by } = yield* check(claim, said)
      yield* print(JSON.stringify({ claim, evidence, verdict, by }))
    }
    if (!isSound) return yield* new Ended({ code: 2 })
  })
).pipe(
  Command.withShortDescription("Check claims against what was said"),
  Command.withDescription(
    [
      'Check claims against what was said: NDJSON lines of {"claim", "evidence"}, where evidence is a string or a list of strings.',
      "Each is printed with its verdict (supported, unsupported, contradicted, unknown) and who gave it (code or model).",
      "A model is asked if CHECK_MODEL_URL names one, other than the one of CLOUD_MODEL_NAME; without a database, its calls are not recorded. Exits with 2 when lines cannot be read; the others are checked."
    ].join("\n")
  ),
  Command.provide(CheckModelLive)
)

export const tryStages = Command.make("try").pipe(
  Command.withDescription("Try a stage of the pipeline on a file, without a database"),
  Command.withSubcommands([tryRedact, tryVerify])
)
