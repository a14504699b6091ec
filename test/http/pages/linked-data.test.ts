import { readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import jsonld from "jsonld"
import type { RemoteDocument } from "jsonld/jsonld-spec.js"
import { renditionKey } from "../../../src/services/meetings/media-tier.ts"
import { reader } from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { meeting, meetingId, putMedia, putOnRecord } from "../../support/builders.ts"
import { fullRecord } from "../../support/full-record.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

const record = "http://record.example.gov"
const vocabulary: RemoteDocument["document"] = JSON.parse(
  readFileSync(path.join(import.meta.dirname, "..", "..", "support", "schemas", "schema-org.json"), "utf8")
)

/** The JSON-LD of a page. In safe mode, a term that schema.org lacks is an error instead of being dropped. */
const dataIn = (html: string) =>
  Effect.promise(async () => {
    const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
    const found = scripts.map(([, text = ""]) => JSON.parse(text))
    for (const one of found) {
      const documentLoader = async (url: string) => {
        assert.strictEqual(url, "https://schema.org")
        return { documentUrl: url, document: vocabulary }
      }
      const options = { documentLoader, safe: true }
      const expanded: unknown = await jsonld.expand(one, options)
      assert.include(JSON.stringify(expanded), `"@type":["https://schema.org/${one["@type"]}"]`)
    }
    return (type: string) => found.find((one) => one["@type"] === type)
  })

const hostile = 'Vote </script><script>alert("1")</script> & <!-- more'

const wholeRecord = Effect.andThen(
  fullRecord,
  Effect.gen(function* () {
    yield* putOnRecord(
      meeting("hostile", "springfield-council", {
        title: hostile,
        starts_at: "2026-03-11T00:00:00Z",
        duration: 5400,
        location: "Council Chambers",
        chapters: [{ title: hostile, start: 12.4, end: 60 }]
      }),
      meeting("called off", "springfield-council", { status: "cancelled" })
    )
    yield* putMedia({
      key: renditionKey(meetingId("hostile")),
      role: "rendition",
      width: 1280,
      height: 720,
      duration: 5400
    })
  })
)

layer(Layer.provideMerge(Layer.effectDiscard(wholeRecord), TestService), { excludeTestServices: true })(
  "the schema.org data of a page",
  (it) => {
    const page = Effect.fnUntraced(function* (path: string, headers: Readonly<Record<string, string>> = {}) {
      const base = yield* serviceAddress
      const answer = yield* ask(base + path, { headers: { ...headers, accept: "text/html" } })
      assert.strictEqual(answer.status, 200, path)
      return { text: answer.text, of: yield* dataIn(answer.text) }
    })
    const pathOf = (name: string) =>
      Effect.flatMap(serviceAddress, (base) =>
        Effect.map(ask(`${base}/api/meetings/${meetingId(name)}`), ({ json }) => String(json().path))
      )

    it.effect("is a person with their seats, and legislation with who passed it and when", () =>
      Effect.gen(function* () {
        const person = (yield* page("/people/springfield-ada-marsh")).of("Person")
        assert.strictEqual(person.memberOf[0].memberOf["@id"], `${record}/in/springfield/council`)
        const matter = (yield* page("/in/springfield/matters/springfield-ord-2026-14")).of("Legislation")
        assert.deepInclude(matter, {
          legislationIdentifier: "Ord. 2026-14",
          dateCreated: "2026-02-24",
          legislationDate: "2026-03-10",
          sponsor: [{ "@type": "Person", name: "Ada Marsh", url: `${record}/people/springfield-ada-marsh` }]
        })
        assert.strictEqual(matter.legislationPassedBy["@id"], `${record}/in/springfield/council`)
      })
    )

    it.effect("describes the site as searchable, and a body as an organization", () =>
      Effect.gen(function* () {
        const site = (yield* page("/")).of("WebSite")
        assert.strictEqual(site.url, `${record}/`)
        assert.strictEqual(site.potentialAction.target.urlTemplate, `${record}/browse?q={search_term_string}`)
        const { of } = yield* page("/in/springfield/council")
        const body = of("GovernmentOrganization")
        assert.strictEqual(body["@id"], `${record}/in/springfield/council`)
        assert.deepStrictEqual(body.areaServed, [
          { "@type": "City", name: "Springfield", url: `${record}/in/springfield` }
        ])
        assert.deepStrictEqual(
          of("BreadcrumbList").itemListElement.map(({ position, item }: { position: number; item: string }) => [
            position,
            item
          ]),
          [
            [1, `${record}/in/springfield`],
            [2, `${record}/in/springfield/council`]
          ]
        )
      })
    )

    it.effect("describes a meeting as an event, with its recording and chapters for a reader alone", () =>
      Effect.gen(function* () {
        const path = yield* pathOf("hostile")
        const { credentials } = yield* reader()
        const open = yield* page(path)
        const { recordedIn, ...event } = open.of("Event")
        assert.isUndefined(recordedIn)
        assert.notInclude(open.text, '"VideoObject"')
        assert.strictEqual(event.startDate, "2026-03-11T00:00:00.000Z")
        assert.strictEqual(event.endDate, "2026-03-11T01:30:00.000Z")
        assert.strictEqual(event.eventStatus, "https://schema.org/EventScheduled")
        assert.strictEqual(event.location[0].name, "Council Chambers")
        assert.strictEqual(event.organizer["@id"], `${record}/in/springfield/council`)
        const own = yield* page(path, credentials.headers)
        const video = own.of("Event").recordedIn
        assert.strictEqual(video.duration, "PT5400S")
        assert.deepStrictEqual(video.hasPart, [
          { "@type": "Clip", name: hostile, startOffset: 12.4, endOffset: 60, url: `${record}${path}?t=12` }
        ])
        for (const { text } of [open, own]) {
          const data = [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].join("")
          assert.notInclude(data, "sig=")
          assert.notInclude(text, "</script><script>alert")
          assert.include(data, "\\u003c/script>")
        }
      })
    )

    it.effect("says of a cancelled meeting that it is", () =>
      Effect.gen(function* () {
        const { of } = yield* page(yield* pathOf("called off"))
        assert.strictEqual(of("Event").eventStatus, "https://schema.org/EventCancelled")
      })
    )
  }
)
