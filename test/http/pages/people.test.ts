import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { nobody, reader } from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { agendaItemId, meeting, meetingId, putOnRecord, transcript } from "../../support/builders.ts"
import { call } from "../../support/call.ts"
import { fullRecord } from "../../support/full-record.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

const html = { accept: "text/html" }

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "the pages of people and matters",
  (it) => {
    it.effect("say who voted how, lead from one to the other, and keep the moments for readers", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const matter = "/in/springfield/matters/springfield-ord-2026-14"
        for (const who of [nobody, credentials]) {
          const person = yield* call("GET", "/people/springfield-ada-marsh", who, undefined, html)
          assert.include(person.text, `href="${matter}"`)
          assert.include(person.text, "1–1")
          assert.strictEqual(person.text.includes("?t="), who === credentials)
          const way = yield* call("GET", matter, who, undefined, html)
          for (const words of ["Introduced", "Approved", "Ada Marsh", "1–1"]) assert.include(way.text, words)
          assert.strictEqual(way.text.includes("?t="), who === credentials)
          assert.strictEqual(way.text.includes("Sign in to hear it"), who === nobody)
        }
        const elsewhere = yield* call("GET", matter.replace("/in/springfield", "/in/decatur"), nobody, undefined, html)
        assert.include(elsewhere.text, `rel="canonical" href="`)
        assert.include(elsewhere.text, "Creek greenway")
        for (const path of ["/people/nobody", "/in/springfield/matters/none"]) {
          assert.strictEqual((yield* call("GET", path, nobody, undefined, html)).status, 404)
        }
      })
    )

    it.effect("are filters of a search that names them, and a name that nobody has is said to be unknown", () =>
      Effect.gen(function* () {
        const shown = (q: string) => call("GET", `/browse?${new URLSearchParams({ q })}`, nobody, undefined, html)
        const named = yield* shown('person:"Ada Marsh" matter:"Ord 2026-14" greenway')
        assert.include(named.text, "Person: Ada Marsh")
        assert.include(named.text, "Matter: Ord. 2026-14: Creek greenway")
        // Dropping one leaves the other, and the words.
        assert.include(named.text, 'href="/browse?q=greenway&amp;person=springfield-ada-marsh"')
        assert.include(named.text, 'value="greenway"')
        const either = yield* shown("person:springfield-ada-marsh or greenway")
        assert.notInclude(either.text, "Person: Ada Marsh")
        const unknown = yield* shown("person:nobody matter:24-999")
        assert.match(unknown.text, /Nobody in office on record is called.*nobody/)
        assert.match(unknown.text, /No matter on record is called.*24-999/)
        const counted = yield* call("GET", "/browse?facet=person&facet=vote", nobody, undefined, html)
        assert.match(counted.text, /<a href="[^"]*person=springfield-ada-marsh[^"]*">Ada Marsh<\/a>/)
        assert.notInclude(counted.text, "By person, matter and vote")
      })
    )

    it.effect("have a picture for shared links, which shows the vote", () =>
      Effect.gen(function* () {
        const matter = "/in/springfield/matters/springfield-ord-2026-14"
        const { text } = yield* call("GET", matter, nobody, undefined, html)
        assert.match(text, /<meta property="og:image" content="[^"]*springfield-ord-2026-14\.png">/)
        const meeting = /href="(\/in\/springfield\/council\/[^"#]+)#votes"/.exec(text)?.[1] ?? ""
        const page = yield* call("GET", meeting, nobody, undefined, html)
        assert.include(page.text, `${meeting}.png">`)
        const base = yield* serviceAddress
        for (const path of [matter, meeting]) {
          const answer = yield* Effect.promise(() => fetch(`${base}${path}.png`))
          assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [200, "image/png"])
          const size = new DataView(yield* Effect.promise(() => answer.arrayBuffer()), 16)
          assert.deepStrictEqual([size.getUint32(0), size.getUint32(4)], [1200, 630])
        }
        assert.strictEqual((yield* ask(`${base}/in/springfield/matters/none.png`)).status, 404)
      })
    )

    it.effect("are reached from the item of an agenda, and lead to their documents", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const ref = {
          slug: "springfield-ord-2026-14",
          identifier: "Ord. 2026-14",
          title: "Creek greenway",
          path: "/in/springfield/matters/springfield-ord-2026-14"
        }
        for (const who of [nobody, credentials]) {
          const { text } = yield* call("GET", `/api/meetings/${meetingId("full")}`, who)
          const meeting = JSON.parse(text)
          assert.deepStrictEqual(meeting.agenda_items[0].matter, ref)
          const page = yield* call("GET", meeting.path, who, undefined, html)
          assert.include(page.text, `href="${ref.path}">Ord. 2026-14</a>`)
          const plain = yield* call("GET", `/md${meeting.path}`, who)
          assert.match(plain.text, /\[Ord\. 2026-14\]\([^)]*\/matters\/springfield-ord-2026-14\)/)
        }
        const { text } = yield* call("GET", `/api/matters/${ref.slug}`, nobody)
        const report = { title: "Staff report", url: "https://springfield.example/report.pdf" }
        assert.deepStrictEqual(JSON.parse(text).attachments, [report])
        for (const path of [ref.path, `/md${ref.path}`]) {
          assert.include((yield* call("GET", path, nobody, undefined, html)).text, report.url)
        }
      })
    )

    it.effect("keep their addresses: those of slugs that were retired, and of whoever was merged into them", () =>
      Effect.gen(function* () {
        yield* putOnRecord(
          {
            ...{ type: "person", slug: "springfield-ada-marsh", place: "springfield", name: "Ada Marsh" },
            retired_slugs: ["springfield-ada-reed"]
          },
          {
            ...{ type: "person", slug: "springfield-a-marsh", place: "springfield", name: "A. Marsh" },
            merged_into: "springfield-ada-marsh"
          }
        )
        for (const slug of ["springfield-ada-reed", "springfield-a-marsh"]) {
          const page = yield* call("GET", `/people/${slug}`, nobody, undefined, html)
          assert.match(page.text, /rel="canonical" href="[^"]*\/people\/springfield-ada-marsh"/)
          const person = yield* call("GET", `/api/people/${slug}`, nobody)
          assert.deepInclude(JSON.parse(person.text), { slug: "springfield-ada-marsh", other_names: ["A. Marsh"] })
          const votes = yield* call("GET", `/api/people/${slug}/votes`, nobody)
          assert.strictEqual(JSON.parse(votes.text).total, 1)
          const meetings = yield* call("GET", `/api/meetings/browse?person=${slug}`, nobody)
          assert.strictEqual(JSON.parse(meetings.text).total, 1)
        }
      })
    )

    it.effect("are followed by a saved search, whose finds are mailed", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const page = yield* call("GET", "/in/springfield/matters/springfield-ord-2026-14", credentials, undefined, html)
        assert.include(page.text, 'value="matter=springfield-ord-2026-14"')
        const saved = yield* call("POST", "/api/me/saved-searches", credentials, {
          query: "matter=springfield-ord-2026-14",
          name: "Ord. 2026-14: Creek greenway"
        })
        assert.strictEqual(saved.status, 201, saved.text)
        const found = yield* call("GET", "/api/meetings/browse?matter=springfield-ord-2026-14", credentials)
        assert.strictEqual(JSON.parse(found.text).total, 1)
      })
    )

    it.effect("tell who spoke at an item and what a member said: names, words and seconds to readers alone", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const [before, item, after] = [0, 10, 30].map((start, at) => ({
          ...{ id: agendaItemId(`talk ${at}`), title: ["Roll call", "Greenway again", "Budget"][at] ?? "", start },
          ...(at === 1 ? { matter: "Ord 2026-14" } : {})
        }))
        const say = (start: number, end: number, speaker: string, text: string) => ({ start, end, speaker, text })
        yield* putOnRecord(
          { type: "person", slug: "springfield-dot-doe", place: "springfield", name: "Dorothy Doe" },
          meeting("talk", "springfield-council", {
            date: "2026-03-17",
            agenda_items: [before, item, after].filter((one) => one !== undefined)
          }),
          transcript(
            "talk",
            [
              say(0, 5, "Ada Marsh", "Good evening."),
              say(5, 14, "The Mayor", "We come to the greenway."),
              say(15, 20, "Alderwoman Marsh", "The creek floods"),
              say(20, 29, "Alderwoman Marsh", "every spring."),
              say(30, 34, "Mr. Marsh", "The budget is late.")
            ],
            { speakers: [{ name: "The Mayor", person: "springfield-dot-doe" }] }
          )
        )
        const ada = { slug: "springfield-ada-marsh", name: "Ada Marsh", path: "/people/springfield-ada-marsh" }
        const dot = { slug: "springfield-dot-doe", name: "Dorothy Doe", path: "/people/springfield-dot-doe" }
        const json = (path: string, who: typeof credentials) =>
          Effect.map(call("GET", path, who), ({ text }) => JSON.parse(text))
        for (const who of [nobody, credentials]) {
          const isReader = who === credentials
          const { discussions } = yield* json("/api/matters/springfield-ord-2026-14", who)
          assert.deepStrictEqual(
            discussions.map(({ meeting: at, ...rest }: { meeting: { item: object } }) => ({ ...rest, item: at.item })),
            [
              {
                speaker_count: 2,
                ...(isReader
                  ? {
                      speakers: [
                        // Who goes on speaking from the item before is heard from where it begins.
                        { name: "The Mayor", person: dot, start: 10 },
                        { name: "Alderwoman Marsh", person: ada, start: 15 }
                      ]
                    }
                  : {}),
                item: { id: agendaItemId("talk 1"), title: "Greenway again" }
              }
            ]
          )
          const said = yield* json("/api/people/springfield-ada-marsh/said", who)
          assert.deepStrictEqual([said.total, said.meetings[0].turns], [1, 2])
          assert.deepStrictEqual(
            said.meetings[0].moments,
            isReader
              ? [
                  { start: 0, text: "Good evening.", item: { id: agendaItemId("talk 0"), title: "Roll call" } },
                  {
                    ...{ start: 15, text: "The creek floods every spring." },
                    item: { id: agendaItemId("talk 1"), title: "Greenway again" }
                  }
                ]
              : undefined
          )
          const { text: way } = yield* call(
            "GET",
            "/in/springfield/matters/springfield-ord-2026-14",
            who,
            undefined,
            html
          )
          assert.include(way, "2 speakers")
          assert.strictEqual(way.includes(">Dorothy Doe</a>"), isReader)
          for (const path of ["/people/springfield-ada-marsh", "/md/people/springfield-ada-marsh"]) {
            const { text: page } = yield* call("GET", path, who, undefined, html)
            assert.include(page, "spoke 2 times")
            assert.strictEqual(page.includes("The creek floods every spring."), isReader)
          }
        }
        const { speakers } = yield* json(`/api/meetings/${meetingId("talk")}/transcript`, credentials)
        assert.deepStrictEqual(speakers, [
          { name: "The Mayor", person: dot },
          { name: "Ada Marsh", person: ada },
          { name: "Alderwoman Marsh", person: ada }
        ])
        const { path } = yield* json(`/api/meetings/${meetingId("talk")}`, credentials)
        const record = yield* call("GET", path, credentials, undefined, html)
        assert.include(record.text, `<a href="${dot.path}">The Mayor</a>`)
      })
    )
  }
)
