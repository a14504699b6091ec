import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { Clips } from "../../schema/clip.ts"
import { CalendarAddresses } from "../../src/services/accounts/calendar-addresses.ts"
import { grantTo, nobody, reader, readyClip, session, shareToken } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { documentId } from "../support/builders.ts"
import { requestOf } from "../support/call.ts"
import { fullRecord } from "../support/full-record.ts"
import { TestService } from "../support/service.ts"
import { id, send } from "./calls.ts"

/** How caches may use a response, in a word. */
const keptBy = (directive: string | null): string =>
  directive?.startsWith("public")
    ? "public"
    : directive === null
      ? "unsaid"
      : directive.includes("private")
        ? "private"
        : "no-store"

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "access to pages, feeds and calendars",
  (it) => {
    it.effect("is as the table beside this says, with what caches may store", () =>
      Effect.gen(function* () {
        const own = yield* reader()
        const { slug, id: clip } = yield* readyClip(own.accountId, id)
        const signed = new URL(String((yield* send({ path: `/api/user-clips/shared/${slug}` })).json().captions_url))
        const { url = "" } = yield* CalendarAddresses.use((addresses) => addresses.reset(own.accountId))
        const meeting = String((yield* send({ path: `/api/meetings/${id}` })).json().path)
        const published = Schema.decodeUnknownSync(Clips)((yield* send({ path: `/api/meetings/${id}/clips` })).json())
          .clips[0]?.id
        const paths = {
          "/": "/",
          "/about": "/about",
          "/developers": "/developers",
          "/developers/reference": "/developers/reference",
          "/browse": "/browse",
          "/upcoming": "/upcoming",
          "/quote": "/quote",
          "/trends": "/trends?q=greenway",
          "/trends.csv": "/trends.csv?q=greenway",
          "/places": "/places",
          "/in/{place}": "/in/springfield",
          "/in/{place}/{body}": "/in/springfield/council",
          "/in/{place}/{body}/{meeting}": meeting,
          "/in/{place}/{body}/{meeting}/clips/{clip}": `${meeting}/clips/${published}`,
          "/people/{slug}": "/people/springfield-ada-marsh",
          "/in/{place}/matters/{slug}": "/in/springfield/matters/springfield-ord-2026-14",
          "/documents/{id}": `/documents/${documentId("packet")}`,
          "/md/in/{place}": "/md/in/springfield",
          "/browse.atom": "/browse.atom",
          "/in/{place}.atom": "/in/springfield.atom",
          "/in/{place}/{body}.atom": "/in/springfield/council.atom",
          "/people/{slug}.atom": "/people/springfield-ada-marsh.atom",
          "/people/{slug}.json": "/people/springfield-ada-marsh.json",
          "/in/{place}/matters/{slug}.atom": "/in/springfield/matters/springfield-ord-2026-14.atom",
          "/in/{place}/matters/{slug}.json": "/in/springfield/matters/springfield-ord-2026-14.json",
          "/in/{place}/matters/{slug}.png": "/in/springfield/matters/springfield-ord-2026-14.png",
          "/in/{place}/{body}/{meeting}.png": `${meeting}.png`,
          "/in/{place}.ics": "/in/springfield.ics",
          "/in/{place}/{body}.ics": "/in/springfield/council.ics",
          "/in/{place}/{newcomer}.ics": "/in/springfield/parks-board-2.ics",
          "/in/{retired}.atom": "/in/springfield/old-council.atom",
          "/calendar/{token}.ics": new URL(url).pathname,
          "/calendar/{unknown}.ics": `/calendar/${"A".repeat(43)}.ics`,
          "/sitemap.xml": "/sitemap.xml",
          "/sitemaps/{n}.xml": "/sitemaps/1.xml",
          "/robots.txt": "/robots.txt",
          "/clips/{slug}": `/clips/${slug}`,
          "/embed/clips/{slug}": `/embed/clips/${slug}`,
          "/embed/in/{place}/{body}/{meeting}/clips/{clip}": `/embed${meeting}/clips/${published}`,
          "/captions/{clip}": `/captions/user-clips/${clip}.vtt`,
          "/captions/{clip}?sig": `${signed.pathname}${signed.search}`,
          "/oembed": `/oembed?url=http%3A%2F%2Frecord.example.gov%2Fclips%2F${slug}`,
          "/account": "/account",
          "/account/tokens": "/account/tokens",
          "/account/sessions": "/account/sessions"
        }
        const callers = {
          nobody,
          session: own.credentials,
          "forged session": session("B".repeat(43)),
          grant: shareToken(yield* grantTo(id))
        }
        const header = ["address", ...Object.keys(callers)]
        const rows = yield* Effect.forEach(Object.entries(paths), ([name, path]) =>
          Effect.map(
            Effect.forEach(Object.values(callers), (who) =>
              Effect.gen(function* () {
                const { url, init } = yield* requestOf("GET", path, who, undefined)
                const { status, headers } = yield* ask(url, { ...init, redirect: "manual" })
                return `${status} ${keptBy(headers.get("cache-control"))}`
              })
            ),
            (answers) => [name, ...answers]
          )
        )
        const table = [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
        yield* Effect.promise(() => expect(`${table}\n`).toMatchFileSnapshot("page-matrix.txt"))
      })
    )
  }
)
