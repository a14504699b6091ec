import { Effect, Layer } from "effect"
import { Web } from "../../../layers/web.ts"
import type { SourceKind } from "../../../schema/agent/directory.ts"
import { itemsReaderOf, readers } from "../../../src/pipeline/sources/readers.ts"
import { PoliteWeb } from "../../../src/pipeline/web/polite-web.ts"
import { Robots } from "../../../src/pipeline/web/robots.ts"
import type { SourceMeeting } from "../../../src/services/sources/discovered-meetings.ts"
import { HostPace } from "../../../src/services/sources/host-pace.ts"
import { TestDb } from "../database.ts"
import { day } from "../legistar-city.ts"

/** The web with every address open, nobody waited for and no robots.txt. */
export const LocalWeb = PoliteWeb.layerNoDeps.pipe(
  Layer.provide([
    Web.layerWith({ isAllowed: () => true, resolve: async () => [], userAgent: "test" }),
    HostPace.layerEvery(0.001),
    Robots.layerUnasked
  ]),
  Layer.provideMerge(TestDb)
)

/** The days that are asked for. */
export const days = { from: day(-365), to: day(365) }
export const timezone = "America/Chicago"

/** Reads a calendar as its crawl does. */
export const read = (kind: SourceKind, url: string) =>
  PoliteWeb.use((web) =>
    readers[kind].read(
      {
        ...{ id: "1", kind, url, etag: null, last_modified: null, timezone },
        place: { id: 1, slug: "springfield", name: "Springfield", kind: "city", state: "IL", county: null }
      },
      days,
      web
    )
  )

/** A meeting's items and the votes on them. */
export const listOf = (meeting: SourceMeeting | undefined) =>
  PoliteWeb.use((web) => {
    const address = meeting?.items_url ?? "http://nowhere"
    const reader = itemsReaderOf(address)
    return reader === undefined ? Effect.die(new Error("No reader.")) : reader.read(web, address, {})
  }).pipe(
    Effect.flatMap((list) =>
      Effect.map(list?.votes ?? Effect.succeed([]), (votes) => ({ items: list?.items ?? [], votes }))
    )
  )

/** The items of a meeting, without their ids. */
export const itemsOf = (meeting: SourceMeeting | undefined) =>
  Effect.map(listOf(meeting), (list) => list.items.map(({ id, ...item }) => item))

/** The wall clock of an instant in the city's zone. */
const clock = (instant: string | undefined) =>
  instant === undefined
    ? undefined
    : new Date(instant).toLocaleString("sv-SE", { timeZone: timezone }).replace(" ", "T").slice(0, 16)

/** A meeting in a line: its body, title and local hour. */
export const brief = ({ source_body, title, starts_at, date, is_cancelled }: SourceMeeting) =>
  [source_body, title, clock(starts_at) ?? date, is_cancelled ? "cancelled" : ""]
    .filter((part) => part !== "")
    .join(" | ")
