import { Console, Duration, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { sourceKinds } from "../../schema/agent/directory.ts"
import { Sources } from "../services/sources/sources.ts"

const kind = Flag.Literals("kind", sourceKinds).pipe(Flag.withDescription("What answers at the address"))

const url = Flag.String("url").pipe(
  Flag.withDescription("The address of the calendar"),
  Flag.filter(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
    () => "must be an http or https address"
  )
)

const place = Flag.String("place").pipe(Flag.withDescription("The slug of the place that it is the calendar of"))

const units = { m: "minutes", h: "hours", d: "days" } as const

/** `30m`, `6h` or `1d`, in seconds; at most once a minute. */
const secondsOf = (text: string): Option.Option<number> => {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count === undefined || (unit !== "m" && unit !== "h" && unit !== "d")) return Option.none()
  const seconds = Duration.toSeconds(Duration.fromInputUnsafe(`${Number(count)} ${units[unit]}`))
  return seconds >= 60 ? Option.some(seconds) : Option.none()
}

const every = Flag.String("every").pipe(
  Flag.withDescription("How often it is crawled: 30m, 6h or 1d. 6h unless given"),
  Flag.filterMap(secondsOf, () => "must be minutes, hours or days, such as 30m, 6h or 1d"),
  Flag.withDefault(6 * 3600)
)

const add = Command.make("add", { kind, url, place, every }, ({ kind, url, place, every }) =>
  Effect.gen(function* () {
    const id = yield* (yield* Sources).add({ kind, url, place, everySeconds: every })
    yield* Console.log(id)
  })
).pipe(Command.withDescription("Add a calendar to crawl, or change how often a known one is crawled. Prints its id"))

const list = Command.make("list", {}, () =>
  Effect.gen(function* () {
    const sources = yield* Sources
    for (let page = 1; ; page++) {
      const found = yield* sources.list({ page, page_size: 200 })
      for (const { id, kind, url, place, crawl_at, outcome = "not crawled yet" } of found.sources) {
        yield* Console.log([id, kind, place.slug, url, outcome, crawl_at ?? "paused"].join("\t"))
      }
      if (page * found.page_size >= found.total) return
    }
  })
).pipe(Command.withDescription("List the sources by place, each with its last outcome and its next crawl"))

const crawl = Command.make(
  "crawl",
  { id: Argument.String("id").pipe(Argument.withDescription("The source's id, as source list shows it")) },
  ({ id }) =>
    Effect.gen(function* () {
      const task = yield* (yield* Sources).crawl(id)
      yield* Console.log(`The crawl is ${task.state}, as task ${task.id}. ${task.reason ?? ""}`.trim())
    })
).pipe(Command.withDescription("Crawl a source now; a crawl that is under way is enough"))

export const source = Command.make("source").pipe(
  Command.withDescription("Add, list and crawl the calendars that meetings come from"),
  Command.withSubcommands([add, list, crawl]),
  Command.provide(Sources.layer),
  Command.provide(CommandDb)
)
