import { Console, Effect, Option } from "effect"
import { Argument, CliError, Command, Flag, Prompt } from "effect/cli"
import { type SourceKind, sourceKinds } from "../../schema/agent/directory.ts"
import { AddressCheck, type Finding, type FoundSource, kindNames } from "../services/sources/address-check.ts"
import { ChannelRecordings } from "../services/sources/channel-recordings.ts"
import { isPaired } from "../services/sources/channels.ts"
import { Sources } from "../services/sources/sources.ts"
import { TypedPlaces } from "../services/sources/typed-places.ts"
import { withTypedCredentials } from "../text/address-credentials.ts"

/** The bodies that a channel belongs to, on the commands that add and correct sources. */
export const bodies = Flag.String("body").pipe(
  Flag.withDescription("Slug of a body that a channel of recordings belongs to; give it again for each of several"),
  Flag.atLeast(0)
)

/** What fails where bodies are given for a calendar. */
export const onlyChannels = new CliError.UserError({
  cause: "--body and --any-body are for channels: youtube or internet_archive."
})

const plural = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

const mostBodies = 12

const saidOf = ({ kind, url, bodies, total, meetings }: FoundSource): string => {
  const named = bodies.slice(0, mostBodies).join(", ")
  const more = bodies.length > mostBodies ? ` and ${bodies.length - mostBodies} more` : ""
  const lines = meetings.map(({ date, time = "", body, title, isCancelled, parts }) =>
    [
      `  ${date} ${time.padEnd(5)}  ${title.startsWith(body) ? title : `${body}: ${title}`}`,
      isCancelled && "cancelled",
      parts.length > 0 && `(${parts.join(", ")})`
    ]
      .filter((part) => part !== false)
      .join("  ")
  )
  return [
    `${kindNames[kind]} (${kind})  ${url}`,
    `  ${plural(bodies.length, "body", "bodies")}: ${named}${more}`,
    `  ${plural(total, "meeting")} from a year ago to a year from now; those nearest to today:`,
    ...lines,
    ...(isPaired(kind) ? ["  If it is the channel of certain bodies, name them: --body SLUG, again for each."] : [])
  ].join("\n")
}

const saidOfUnread = ({ unread }: Finding): ReadonlyArray<string> =>
  unread.flatMap(({ url, seems, nextStep }) => [`${url}`, `  Not read: ${seems}`, `  ${nextStep}`])

/** The slug of a place that was typed; a city or county of the gazetteer comes on record if it is not there. */
export const placeOnRecord = Effect.fnUntraced(function* (typed: string) {
  const places = yield* TypedPlaces
  const place = yield* places.meant(typed)
  const { slug, isNew } = yield* places.onRecord(place)
  if (isNew) yield* Console.error(`${place.name}, ${place.state}, is now on record as ${slug}.`)
  return slug
})

/** How what is found is added. `bodies` are the slugs of those that its channels belong to. */
interface Adding {
  readonly place: string
  readonly everySeconds: number
  readonly bodies: ReadonlyArray<string>
}

/** Adds the calendars that were found; prints the id of each. */
const addAll = Effect.fnUntraced(function* (
  found: ReadonlyArray<FoundSource>,
  { typed, place, everySeconds, bodies }: Adding & { readonly typed: string }
) {
  const channels = yield* ChannelRecordings
  if (bodies.length > 0 && !found.some(({ kind }) => isPaired(kind))) return yield* onlyChannels
  yield* channels.check(bodies)
  const slug = yield* placeOnRecord(place)
  const sources = yield* Sources
  for (const { kind, url } of found) {
    const id = yield* sources.add({ kind, url: withTypedCredentials(url, typed), place: slug, everySeconds })
    if (bodies.length > 0 && isPaired(kind)) yield* channels.belongsTo(id, bodies)
    // Scripts take the ids from standard output, where they are alone.
    yield* Console.log(id)
    yield* Console.error(`${kindNames[kind]} at ${url} is a source of ${slug}, and is crawled next.`)
  }
})

/** Finds what is behind an address; fails with what it seems to be where nothing can be read. */
const foundAt = Effect.fnUntraced(function* (url: string, only: Option.Option<SourceKind>) {
  const finding = yield* AddressCheck.use(({ find }) => find(url))
  const found = finding.found.filter(({ kind }) => Option.isNone(only) || only.value === kind)
  if (found.length === 0) {
    const others = finding.found.map(({ kind }) => kind)
    const why = others.length > 0 ? [`No such calendar is there, but ${others.join(", ")}.`] : saidOfUnread(finding)
    return yield* new CliError.UserError({ cause: ["No calendar was found.", ...why].join("\n") })
  }
  return { ...finding, found }
})

/** Finds what is behind an address, and adds it: `source add` without a kind. */
export const addFound = Effect.fnUntraced(function* (url: string, options: Adding) {
  // A place that nobody knows is said before the site is asked.
  yield* TypedPlaces.use(({ meant }) => meant(options.place))
  const { found } = yield* foundAt(url, Option.none())
  yield* addAll(found, { typed: url, ...options })
})

/** `source find`, with the flags that it shares with `source add`. */
export const findCommand = (every: Flag.Flag<number>) =>
  Command.make(
    "find",
    {
      url: Argument.String("url").pipe(
        Argument.withDescription("Any address that leads to the meetings: the city's page of agendas, or a meeting's"),
        Argument.filter(
          (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
          () => "must be an http or https address"
        )
      ),
      place: Flag.String("place").pipe(
        Flag.withDescription('The place whose calendar it is: its slug, or its name and state such as "Emporia, KS"'),
        Flag.optional
      ),
      kind: Flag.Literals("kind", sourceKinds).pipe(
        Flag.withDescription("Only calendars of this kind, where there are several"),
        Flag.optional
      ),
      every,
      bodies,
      yes: Flag.Boolean("yes").pipe(Flag.withDescription("Add what is found without asking"), Flag.withDefault(false))
    },
    ({ url, place, kind, every, bodies, yes }) =>
      Effect.gen(function* () {
        if (Option.isSome(place)) yield* TypedPlaces.use(({ meant }) => meant(place.value))
        const finding = yield* foundAt(url, kind)
        const shown = [...finding.found.map(saidOf), ...saidOfUnread(finding)].join("\n\n")
        yield* yes ? Console.error(shown) : Console.log(shown)
        if (Option.isNone(place)) {
          const next = 'Nothing was added. Say whose calendar it is to add it: --place SLUG, or --place "Emporia, KS".'
          if (yes) return yield* new CliError.UserError({ cause: next })
          return yield* Console.error(next)
        }
        const isAsked = !yes && process.stdin.isTTY === true
        const isWanted =
          yes ||
          (isAsked &&
            (yield* Prompt.run(
              Prompt.Confirm({ message: `Add ${plural(finding.found.length, "source")} for ${place.value}?` })
            )))
        if (!isWanted)
          return yield* Console.error(isAsked ? "Nothing was added." : "Nothing was added. Add --yes to add it.")
        yield* addAll(finding.found, { typed: url, place: place.value, everySeconds: every, bodies })
      })
  ).pipe(
    Command.withDescription(
      "Find the calendar behind any address, show its bodies and meetings, and add it after a yes"
    )
  )
