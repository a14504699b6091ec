import { Console, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { CalendarDate } from "../../schema/primitives.ts"
import { PastEstimatesLive } from "../pipeline/sources/estimate-past.ts"
import { estimateSaid, PastEstimates } from "../services/sources/past-estimate.ts"
import { SourcePast } from "../services/sources/source-past.ts"
import { Sources } from "../services/sources/sources.ts"

const day = (name: string, about: string) =>
  Flag.String(name).pipe(
    Flag.filter(
      (text) => Schema.is(CalendarDate)(text),
      () => "must be a day that exists, such as 2019-01-01"
    ),
    Flag.withDescription(about),
    Flag.optional
  )

const unusable = (cause: string) => new CliError.UserError({ cause })

const past = Effect.fnUntraced(function* (id: string, from: string, to: string, isMeant: boolean) {
  const estimates = yield* PastEstimates
  const days = { source: id, from, to }
  yield* estimates.check(days)
  const asked = yield* SourcePast.use((past) => past.of(id))
  const isBegun = asked?.from === from && asked.to === to && asked.left !== null
  if (isMeant || isBegun) {
    const left = yield* SourcePast.use((past) => past.ask(id, from, to))
    return yield* Console.log(
      `Its meetings ${left === to ? `from ${from} to ${to}` : `from ${from} on, of which those after ${left} were listed before,`} come on record, the newest first, after all newer work. source show ${id} says how far it is.`
    )
  }
  const { url } = yield* Sources.use(({ source }) => source(id))
  const said = estimateSaid(yield* estimates.of(days))
  yield* Console.log(
    [
      `${url}, ${from} to ${to}, as its newest and its oldest days let expect:`,
      ...said.map((line) => `  ${line}`),
      "Nothing was begun. Give --yes to begin; budget.DailyMicros bounds what models cost a day."
    ].join("\n")
  )
})

export const crawlCommand = Command.make(
  "crawl",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The source's id, as source list shows it")),
    from: day("from", "The first day of the past to bring on record, YYYY-MM-DD; says first what that takes"),
    to: day("to", "The last such day; today unless given"),
    yes: Flag.Boolean("yes").pipe(
      Flag.withDescription("Begin with the past; without it, only the estimate is printed"),
      Flag.withDefault(false)
    )
  },
  ({ id, from, to, yes }) =>
    Effect.gen(function* () {
      if (Option.isSome(from)) {
        const today = DateTime.formatIsoDate(yield* DateTime.now)
        return yield* past(
          id,
          from.value,
          Option.getOrElse(to, () => today),
          yes
        )
      }
      if (Option.isSome(to) || yes) return yield* unusable("Give --from too: the first day of the past.")
      const task = yield* (yield* Sources).crawl(id)
      yield* Console.log(`The crawl is ${task.state}, as task ${task.id}. ${task.reason ?? ""}`.trim())
    })
).pipe(
  Command.withDescription(
    "Crawl a source now; a crawl that is under way is enough. With --from, bring its past on record, and go on with that where it stopped"
  )
)

/** What the past of a source needs. */
export const PastLive = Layer.mergeAll(SourcePast.layer, PastEstimatesLive)
