import { Effect } from "effect"
import { AgentSourceQuery, sourceKinds } from "../../schema/agent/directory.ts"
import { el, heading } from "../page-tree/tree.ts"
import { queryDecoder } from "../pages/query.ts"
import { length } from "../pages/said.ts"
import type { NotFound, UnknownAgency, UnlistedBody } from "../services/failures.ts"
import type { AddressCheck, NoCalendarThere } from "../services/sources/address-check.ts"
import { ChannelRecordings } from "../services/sources/channel-recordings.ts"
import { isPaired } from "../services/sources/channels.ts"
import { SourcePast } from "../services/sources/source-past.ts"
import { Sources } from "../services/sources/sources.ts"
import type { PlaceUnclear, TypedPlaces } from "../services/sources/typed-places.ts"
import { waitingBodies } from "../services/sources/waiting-bodies.ts"
import { waitingRecordings } from "./channel-recordings.ts"
import { formField, InvalidForm } from "./forms.ts"
import type { ConsoleAct, ConsoleLoad } from "./page.ts"
import { button, facts, field, filters, form, paging, part, state, table, taskLink, when } from "./parts.ts"
import { permissionPart } from "./site-permission.ts"
import {
  asked,
  bodiesField,
  bodiesTyped,
  nameOf,
  placeField,
  placeOnRecord,
  placeTyped,
  secondsBetween,
  webAddress
} from "./source-changes.ts"
import { pastPart } from "./source-past.ts"

const orders = ["place", "due", "crawled", "failing"] as const

const decode = queryDecoder(AgentSourceQuery)

/** `/sources`: calendars that are crawled, and the form that adds one. */
export const loadSources: ConsoleLoad<never, Sources> = Effect.fn("Console.sources")(function* ({ query }) {
  const wanted = yield* decode(query)
  const { total, page, page_size, sources } = yield* (yield* Sources).list(wanted)
  return {
    title: "Sources",
    section: "/sources",
    main: [
      heading("Sources"),
      filters(
        "/sources",
        field({ name: "q", label: "Address, place or body", value: wanted.q, optional: true }),
        field({
          name: "order",
          label: "Order",
          value: wanted.order ?? "place",
          options: orders.map((one) => [one, one])
        })
      ),
      paging({ path: "/sources", query, page, size: page_size, total }, "source"),
      table(
        "Sources",
        ["Place", "Address", "Last crawl", "Next", "Bodies", "Wait for you", "Not imported"],
        sources.map((source) => [
          source.place.name,
          [el("a", { href: `/sources/${source.id}` }, source.url), ` (${source.kind})`],
          [when(source.crawled_at), " ", source.outcome !== undefined && state(source.outcome)],
          source.crawl_at === undefined ? state("paused") : when(source.crawl_at),
          String(source.bodies.length),
          waitingBodies(source).length === 0
            ? "0"
            : el("a", { href: `/sources/${source.id}#waiting` }, String(waitingBodies(source).length)),
          String(source.not_imported)
        ]),
        "No source is like this."
      ),
      part(
        "Find a calendar",
        filters("/sources/find", field({ name: "url", id: "find", label: "Any address that leads to the meetings" }))
      ),
      part(
        "Add a source",
        form(
          "/sources",
          "Add it",
          field({ name: "kind", label: "Kind", options: sourceKinds.map((one) => [one, one]) }),
          field({ name: "url", label: "Address of the calendar" }),
          placeField(),
          field({ name: "hours", label: "Hours between crawls", value: "6" }),
          bodiesField()
        )
      )
    ]
  }
})

export const addSource: ConsoleAct<
  NotFound | NoCalendarThere | PlaceUnclear | UnknownAgency,
  Sources | AddressCheck | ChannelRecordings | TypedPlaces
> = Effect.fn("Console.addSource")(function* ({ form }) {
  const kind = sourceKinds.find((one) => one === form.get("kind"))
  const url = yield* webAddress(form)
  const place = yield* placeTyped(form)
  const everySeconds = yield* secondsBetween(form)
  if (kind === undefined) return yield* new InvalidForm({ message: `kind must be one of ${sourceKinds.join(", ")}.` })
  const answer = yield* asked(form, { kind, url, place })
  const bodies = yield* bodiesTyped(form, kind)
  const { slug, said } = yield* placeOnRecord(place)
  const id = yield* (yield* Sources).add({ kind, url, place: slug, everySeconds })
  if (bodies.length > 0) yield* ChannelRecordings.use(({ belongsTo }) => belongsTo(id, bodies))
  return { to: `/sources/${id}`, said: `The source is there, and is crawled next. ${said}${answer}`.trim() }
})

/** `/sources/{id}`: one source, its crawls, and the bodies on record that its bodies are mapped to. */
export const loadSource: ConsoleLoad<NotFound, Sources | ChannelRecordings | SourcePast> = Effect.fn("Console.source")(
  function* ({ params }) {
    const source = yield* (yield* Sources).source(params.id ?? "")
    const { id, url, kind, place, crawl, crawl_at, crawled_at, failure, failing_since, bodies } = source
    const isPaused = crawl_at === undefined
    const waiting = waitingBodies(source)
    const past = yield* SourcePast.use(({ progress }) => progress(id))
    const recordings = yield* ChannelRecordings.use((channels) => channels.waiting(id))
    return {
      title: nameOf(source),
      section: "/sources",
      main: [
        heading(nameOf(source)),
        facts([
          ["Address", el("a", { href: url, rel: "noreferrer" }, url)],
          ["Kind", kind],
          ["Every", length(source.every_seconds)],
          ["Next crawl", isPaused ? state("paused") : when(crawl_at)],
          ["Last crawl", [when(crawled_at), " ", source.outcome !== undefined && state(source.outcome)]],
          ["Failing since", when(failing_since)],
          ["Why", failure ?? "–"],
          ["Not imported", String(source.not_imported)],
          ["Crawl", crawl === undefined ? "–" : [taskLink(crawl), " ", state(crawl.state), ` ${crawl.reason ?? ""}`]]
        ]),
        el(
          "div",
          { class: "actions" },
          button({ to: `/sources/${id}/crawl`, label: "Crawl now" }),
          button({
            to: `/sources/${id}/${isPaused ? "resume" : "pause"}`,
            label: isPaused ? "Resume" : "Pause",
            quiet: true
          }),
          el("a", { href: `/sources/${id}/remove` }, "Remove it")
        ),
        part(
          "Bodies that it lists",
          table(
            "Bodies that it lists",
            ["Listed as", "Body on record"],
            bodies.map(({ source_body, agency }) => [source_body, agency?.slug ?? state("unmapped")]),
            "It has listed no body yet."
          ),
          waiting.length > 0 &&
            el(
              "ul",
              { id: "waiting" },
              waiting.map(({ name, like, why }) => {
                const [source_body, about, quiet] = [name, name, true]
                return el(
                  "li",
                  {},
                  `${why} `,
                  like !== undefined &&
                    button({
                      ...{ to: `/sources/${id}/bodies`, label: `It is ${like}`, about, quiet },
                      fields: { source_body, agency_slug: like }
                    }),
                  " ",
                  button({ to: `/sources/${id}/found`, label: "It is new", about, quiet, fields: { source_body } })
                )
              })
            ),
          form(
            `/sources/${id}/bodies`,
            "Map it",
            field({ name: "source_body", label: "Listed as" }),
            field({ name: "agency_slug", label: "Slug of the body on record" })
          )
        ),
        waitingRecordings(id, recordings),
        pastPart(id, past),
        permissionPart(source),
        part(
          "Correct it",
          form(
            `/sources/${id}`,
            "Correct it",
            field({ name: "url", label: "Address of the calendar", value: url }),
            placeField({ value: place.slug }),
            field({ name: "hours", label: "Hours between crawls", value: String(source.every_seconds / 3600) }),
            isPaired(kind) && bodiesField(yield* ChannelRecordings.use((channels) => channels.bodies(id)))
          )
        )
      ]
    }
  }
)

export const crawlSource: ConsoleAct<NotFound, Sources> = Effect.fn("Console.crawlSource")(function* ({ params }) {
  const id = params.id ?? ""
  const task = yield* (yield* Sources).crawl(id)
  return { to: `/sources/${id}`, said: `The crawl is ${task.state}. ${task.reason ?? ""}`.trim() }
})

export const mapSource: ConsoleAct<NotFound | UnknownAgency | UnlistedBody, Sources> = Effect.fn("Console.mapSource")(
  function* ({ params, form }) {
    const id = params.id ?? ""
    const source_body = yield* formField(form, "source_body")
    const agency_slug = yield* formField(form, "agency_slug")
    const bodies = [{ source_body, agency_slug }]
    const changed = yield* (yield* Sources).map(id, { bodies })
    return {
      to: `/sources/${id}`,
      said: changed ? `${source_body} is ${agency_slug}; the source is crawled again.` : "It was mapped so already."
    }
  }
)

/** Says that a body of a source is none of those on record. */
export const foundBody: ConsoleAct<NotFound | UnlistedBody, Sources> = Effect.fn("Console.foundBody")(function* ({
  params,
  form
}) {
  const id = params.id ?? ""
  const source_body = yield* formField(form, "source_body")
  const changed = yield* (yield* Sources).found(id, source_body)
  const said = changed
    ? `${source_body} is a body of its own; the source is crawled again.`
    : "It was settled so already."
  return { to: `/sources/${id}`, said }
})
