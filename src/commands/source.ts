import { Console, Duration, Effect, Layer, Option } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { type AgentSource, sourceKinds } from "../../schema/agent/directory.ts"
import { AddressCheckLive } from "../pipeline/sources/check-address.ts"
import { TypedPlacesLive } from "../record/typed-places.ts"
import { ChannelRecordings, type WaitingRecording } from "../services/sources/channel-recordings.ts"
import { isPaired } from "../services/sources/channels.ts"
import { SitePermissions } from "../services/sources/site-permissions.ts"
import { SourceChanges } from "../services/sources/source-changes.ts"
import { pastSaid, SourcePast } from "../services/sources/source-past.ts"
import { Sources } from "../services/sources/sources.ts"
import { waitingBodies } from "../services/sources/waiting-bodies.ts"
import { addFound, bodies, findCommand, onlyChannels, placeOnRecord } from "./find-source.ts"
import { crawlCommand, PastLive } from "./source-past.ts"
import { id, permitCommand, permitted } from "./source-permission.ts"

const kind = Flag.Literals("kind", sourceKinds).pipe(
  Flag.withDescription("What answers at the address; without it, whatever is found there is added"),
  Flag.optional
)

const url = Flag.String("url").pipe(
  Flag.withDescription("The address of the calendar"),
  Flag.filter(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""),
    () => "must be an http or https address"
  )
)

const place = Flag.String("place").pipe(
  Flag.withDescription('The place whose calendar it is: its slug, or its name and state such as "Emporia, KS"')
)

const units = { m: "minutes", h: "hours", d: "days" } as const

/** `30m`, `6h` or `1d`, in seconds; at most once a minute. */
const secondsOf = (text: string): Option.Option<number> => {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (count === undefined || (unit !== "m" && unit !== "h" && unit !== "d")) return Option.none()
  const seconds = Duration.toSeconds(Duration.fromInputUnsafe(`${Number(count)} ${units[unit]}`))
  return seconds >= 60 ? Option.some(seconds) : Option.none()
}

const often = Flag.String("every").pipe(
  Flag.filterMap(secondsOf, () => "must be minutes, hours or days, such as 30m, 6h or 1d")
)

const every = often.pipe(
  Flag.withDescription("How often it is crawled: 30m, 6h or 1d. 6h unless given"),
  Flag.withDefault(6 * 3600)
)

/** What waits for an operator in a source, with the commands that settle it. */
const saidOfWaiting = (source: AgentSource) =>
  waitingBodies(source).flatMap(({ why, nextStep }) => [why, `  ${nextStep}`])

/** A recording that waits for an operator, with the commands that settle it. */
const saidOfRecording = (id: string, { title, address, why, meetings }: WaitingRecording) => {
  const pair = `civic-record source pair ${id} '${address}'`
  return [
    `Recording:       ${title}  ${address}`,
    `  ${why}`,
    ...meetings.map(({ id, date, title }) => `  If it is ${title} of ${date}, run: ${pair} ${id}`),
    `  If it is of no meeting, run: ${pair} --none`
  ]
}

const added = { kind, url, place, every, permitted, bodies }

const add = Command.make("add", added, ({ kind, url, place, every, permitted, bodies }) =>
  Effect.gen(function* () {
    if (bodies.length > 0 && Option.isSome(kind) && !isPaired(kind.value)) return yield* onlyChannels
    if (Option.isNone(kind)) {
      if (Option.isNone(permitted)) return yield* addFound(url, { place, everySeconds: every, bodies })
      return yield* new CliError.UserError({ cause: "Give --kind too: what refuses programs is not looked at first." })
    }
    const channels = yield* ChannelRecordings
    yield* channels.check(bodies)
    const sources = yield* Sources
    const id = yield* sources.add({ kind: kind.value, url, place: yield* placeOnRecord(place), everySeconds: every })
    if (bodies.length > 0) yield* channels.belongsTo(id, bodies)
    if (Option.isSome(permitted)) yield* SitePermissions.use(({ permit }) => permit(id, permitted.value))
    // Scripts take the id from standard output, where it is alone.
    yield* Console.log(id)
    const source = yield* sources.source(id)
    const next = `The service crawls it next. Then civic-record source show ${id} names the bodies that wait for you.`
    yield* Console.error((source.crawled_at === undefined ? [next] : saidOfWaiting(source)).join("\n"))
  })
).pipe(Command.withDescription("Add a calendar to crawl, or change how often a known one is crawled. Prints its id"))

const list = Command.make("list", {}, () =>
  Effect.gen(function* () {
    const sources = yield* Sources
    for (let page = 1; ; page++) {
      const found = yield* sources.list({ page, page_size: 200 })
      for (const source of found.sources) {
        const { id, kind, url, place, crawl_at, outcome = "not crawled yet" } = source
        const waiting = waitingBodies(source).length
        const bodies = waiting === 0 ? "-" : `${waiting} ${waiting === 1 ? "body waits" : "bodies wait"} for you`
        yield* Console.log([id, kind, place.slug, url, outcome, crawl_at ?? "paused", bodies].join("\t"))
      }
      if (page * found.page_size >= found.total) return
    }
  })
).pipe(
  Command.withDescription(
    "List the sources by place, each with its last outcome, its next crawl and what waits for you"
  )
)

const show = Command.make("show", { id }, ({ id }) =>
  Effect.gen(function* () {
    const source = yield* (yield* Sources).source(id)
    const past = yield* SourcePast.use(({ of }) => of(id))
    const {
      kind,
      url,
      place,
      crawl_at,
      outcome = "not crawled yet",
      failure,
      bodies,
      not_imported,
      permitted: word
    } = source
    const own = yield* ChannelRecordings.use((channels) => channels.bodies(id))
    const lines = [
      `${kind}  ${url}`,
      ...(own.length > 0 ? [`Belongs to:      ${own.join(", ")}`] : []),
      `Place:           ${place.slug}`,
      `Last crawl:      ${[outcome, failure].filter((part) => part !== undefined).join(": ")}`,
      `Next crawl:      ${crawl_at ?? "paused"}`,
      ...(past === undefined ? [] : [`The past:        ${pastSaid(past)}`]),
      ...(word === undefined ? [] : [`May be read:     ${word.by} on ${word.at}: ${word.why}`]),
      `Not on record:   ${not_imported} of its meetings`,
      ...bodies.map(({ source_body, agency }) => `Body:            ${source_body}  ${agency?.slug ?? "waits for you"}`),
      ...saidOfWaiting(source),
      ...(yield* ChannelRecordings.use(({ waiting }) => waiting(id))).flatMap((one) => saidOfRecording(id, one))
    ]
    yield* Console.log(lines.join("\n"))
  })
).pipe(Command.withDescription("Show a source, the bodies that it lists, and which of them wait for you"))

const map = Command.make(
  "map",
  {
    id,
    body: Argument.String("body").pipe(Argument.withDescription("The body as the source names it")),
    agency: Argument.String("agency").pipe(
      Argument.withDescription("Slug of the body on record that it is; leave it out with --new"),
      Argument.optional
    ),
    isNew: Flag.Boolean("new").pipe(
      Flag.withDescription("It is none of those on record: it comes on record as the source names it"),
      Flag.withDefault(false)
    )
  },
  ({ id, body, agency, isNew }) =>
    Effect.gen(function* () {
      if (Option.isSome(agency) === isNew) {
        return yield* new CliError.UserError({ cause: "Give the slug of the body that it is, or --new." })
      }
      const sources = yield* Sources
      const changed = Option.isSome(agency)
        ? yield* sources.map(id, { bodies: [{ source_body: body, agency_slug: agency.value }] })
        : yield* sources.found(id, body)
      const said = Option.isSome(agency) ? `${body} is ${agency.value}` : `${body} is a body of its own`
      yield* Console.log(changed ? `${said}; the source is crawled again.` : "It was settled so already.")
    })
).pipe(Command.withDescription("Say which body on record a source means by a name, and crawl it again"))

const pair = Command.make(
  "pair",
  {
    id,
    recording: Argument.String("recording").pipe(Argument.withDescription("The recording's address")),
    meeting: Argument.String("meeting").pipe(
      Argument.withDescription("The id of the meeting that it is of; leave it out with --none"),
      Argument.optional
    ),
    isNone: Flag.Boolean("none").pipe(Flag.withDescription("It is of no meeting"), Flag.withDefault(false))
  },
  ({ id, recording, meeting, isNone }) =>
    Effect.gen(function* () {
      if (Option.isSome(meeting) === isNone) {
        return yield* new CliError.UserError({ cause: "Give the id of the meeting that it is of, or --none." })
      }
      const changed = yield* ChannelRecordings.use(({ settle }) =>
        settle(id, recording, Option.getOrUndefined(meeting))
      )
      const said = isNone ? "It is of no meeting." : "The meeting has its recording."
      yield* Console.log(changed ? said : "It was settled so already.")
    })
).pipe(Command.withDescription("Say which meeting a recording of a channel is of"))

const edit = Command.make(
  "edit",
  {
    id,
    url: Flag.optional(url),
    place: Flag.optional(place),
    every: Flag.optional(often.pipe(Flag.withDescription("How often it is crawled: 30m, 6h or 1d"))),
    bodies,
    isAnyBody: Flag.Boolean("any-body").pipe(
      Flag.withDescription("The channel belongs to no bodies in particular: its titles alone say whose a recording is"),
      Flag.withDefault(false)
    )
  },
  ({ id, url, place, every, bodies, isAnyBody }) =>
    Effect.gen(function* () {
      const isOwned = bodies.length > 0 || isAnyBody
      if (Option.isNone(url) && Option.isNone(place) && Option.isNone(every) && !isOwned) {
        const cause = "Give what is to change: --url, --place, --every, --body or --any-body."
        return yield* new CliError.UserError({ cause })
      }
      if (bodies.length > 0 && isAnyBody) {
        return yield* new CliError.UserError({ cause: "Give the bodies that it belongs to, or --any-body." })
      }
      const channels = yield* ChannelRecordings
      if (isOwned) {
        if (!isPaired((yield* (yield* Sources).source(id)).kind)) return yield* onlyChannels
        yield* channels.check(bodies)
      }
      const slug = Option.isSome(place) ? yield* placeOnRecord(place.value) : undefined
      const edited = yield* SourceChanges.use(({ edit }) =>
        edit(id, {
          url: Option.getOrUndefined(url),
          place: slug,
          everySeconds: Option.getOrUndefined(every)
        })
      )
      const owned = isOwned && (yield* channels.belongsTo(id, bodies))
      yield* Console.log(edited || owned ? "The source is corrected." : "It was like this already.")
    })
).pipe(
  Command.withDescription(
    "Correct a source's address, its place, how often it is crawled, or the bodies that a channel belongs to"
  )
)

const pausing = (paused: boolean) =>
  Command.make(paused ? "pause" : "resume", { id }, ({ id }) =>
    Effect.gen(function* () {
      yield* (yield* Sources).pause(id, paused)
      yield* Console.log(paused ? "The source is no longer crawled." : "The source is crawled next.")
    })
  ).pipe(Command.withDescription(paused ? "Stop crawling a source for now" : "Crawl a paused source again"))

const remove = Command.make("remove", { id }, ({ id }) =>
  Effect.gen(function* () {
    const { url, meetings, notImported } = yield* SourceChanges.use(({ remove }) => remove(id))
    yield* Console.log(
      `${url} is removed. Of its meetings, ${meetings} stay on record, and ${notImported} that were not on record are forgotten.`
    )
  })
).pipe(Command.withDescription("Remove a source; the meetings that it brought stay on record"))

export const source = Command.make("source").pipe(
  Command.withDescription(
    "Find, add, correct, pause, map, pair, permit, crawl and remove the calendars that meetings come from"
  ),
  Command.withSubcommands([
    findCommand(every),
    add,
    list,
    show,
    edit,
    pausing(true),
    pausing(false),
    remove,
    crawlCommand,
    map,
    pair,
    permitCommand
  ]),
  Command.provide(
    Layer.mergeAll(
      ...[Sources.layer, SourceChanges.layer, SitePermissions.layer, ChannelRecordings.layer],
      ...[AddressCheckLive, PastLive, TypedPlacesLive]
    )
  ),
  Command.provide(CommandDb)
)
