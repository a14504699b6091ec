import { Console, DateTime, Effect, Layer, Option, Schema } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { CalendarDate } from "../../schema/primitives.ts"
import { pastDaysOf } from "../pipeline/sources/read-calendar.ts"
import { readers, VendorsLive } from "../pipeline/sources/readers.ts"
import { type Survey, surveyPast } from "../pipeline/sources/survey.ts"
import { asSource, PoliteWeb } from "../pipeline/web/polite-web.ts"
import { Settings } from "../services/settings/settings.ts"
import { NoCalendarThere } from "../services/sources/address-check.ts"
import { Crawls } from "../services/sources/crawls.ts"
import { type PastRates, SourcePast } from "../services/sources/source-past.ts"
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

/** How long a recording is taken to be where none of the source's bodies is on record. */
const usualSeconds = 2 * 3600

const number = (count: number) => count.toLocaleString("en-US")
const dollars = (micros: number) => `about $${(micros / 1e6).toFixed(2)}`

/** A length of work for people. */
const worth = (seconds: number) =>
  seconds < 5400 ? `${Math.ceil(seconds / 60)} minutes` : `${(seconds / 3600).toFixed(1)} hours`

interface Estimate {
  readonly survey: Survey
  readonly rates: PastRates
  /** Seconds between two requests. */
  readonly gap: number
  /** Of a minute of sound, in millionths of a US dollar; 0 if unknown. */
  readonly speech: number
}

const estimate = ({ survey, rates, gap, speech }: Estimate): ReadonlyArray<string> => {
  const { readings, meetings, recordings, captioned, requests } = survey
  const seconds = rates.seconds ?? usualSeconds
  const isGuess = rates.seconds === null ? ", taken to last two hours each" : ", as long as those on record"
  const heard = ((recordings - captioned) * seconds) / 60
  return [
    `  ${number(readings)} readings of the calendar, ${number(requests)} requests with the files: ${worth(requests * gap)} at least, without the downloads`,
    `  ${number(meetings)} meetings, ${number(recordings)} with a recording${isGuess}: ${number(Math.round((recordings * seconds) / 3600))} hours of talk`,
    speech === 0
      ? "  Speech: no price is set (prices.SpeechMicros)"
      : `  Speech: ${dollars(heard * speech)} for ${number(recordings - captioned)} recordings without captions`,
    rates.model_micros === null
      ? "  Language model: not known, because none was paid for yet (prices.InputMicros, prices.OutputMicros)"
      : `  Language model: ${dollars(meetings * rates.model_micros)}, as meetings cost here so far`
  ]
}

const past = Effect.fnUntraced(function* (id: string, from: string, to: string, isMeant: boolean) {
  const source = yield* Crawls.use((crawls) => crawls.source(id))
  if (source === undefined) return yield* unusable(`There is no source ${id}.`)
  if (from > to) return yield* unusable("--from must not be after --to.")
  if (pastDaysOf(source) === 0) {
    return yield* unusable(`A calendar of the kind ${source.kind} lists only what is new: it has no past to be read.`)
  }
  const asked = yield* SourcePast.use((past) => past.of(id))
  const isBegun = asked?.from === from && asked.to === to && asked.left !== null
  if (isMeant || isBegun) {
    const left = yield* SourcePast.use((past) => past.ask(id, from, to))
    return yield* Console.log(
      `Its meetings ${left === to ? `from ${from} to ${to}` : `from ${from} on, of which those after ${left} were listed before,`} come on record, the newest first, after all newer work. source show ${id} says how far it is.`
    )
  }
  const web = yield* PoliteWeb
  const survey = yield* surveyPast(source, { from, to }, asSource(web, source)).pipe(
    Effect.catchTags({
      NoCalendar: ({ message }) => Effect.fail(new NoCalendarThere({ message })),
      WebFailed: ({ message }) => Effect.fail(new NoCalendarThere({ message }))
    })
  )
  const rates = yield* SourcePast.use((past) => past.rates(id))
  const speech = yield* Settings.use((settings) => settings.get("prices.SpeechMicros"))
  const gap = readers[source.kind].manners?.gap ?? 1
  yield* Console.log(
    [
      `${source.url}, ${from} to ${to}, as its newest and its oldest days let expect:`,
      ...estimate({ survey, rates, gap, speech }),
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

/** What reading the past of a source needs. */
export const PastLive = Layer.mergeAll(
  Crawls.layer,
  Settings.layer,
  SourcePast.layer,
  PoliteWeb.layer.pipe(Layer.provide(VendorsLive))
)
