import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { fakeIdentity } from "../../layers/fake-identity.ts"
import { meetingId } from "../../support/builders.ts"
import { cityServer, says } from "../../support/city-server.ts"
import { look, operatedService, send } from "../../support/console.ts"
import { fullRecord } from "../../support/full-record.ts"
import { discovered, operated, source } from "../../support/operators.ts"

const events = [
  "BEGIN:VCALENDAR",
  "VERSION:2.0",
  "BEGIN:VEVENT",
  "UID:1",
  "DTSTART:20260310T180000Z",
  "SUMMARY:City Council",
  "END:VEVENT",
  "END:VCALENDAR",
  ""
].join("\r\n")

layer(operatedService({ ALLOW_PRIVATE_SOURCES: "1" }, fakeIdentity), { excludeTestServices: true })(
  "sources on the console",
  (it) => {
    it.effect("are asked for once when they are typed, and what was typed is kept", () =>
      Effect.gen(function* () {
        yield* fullRecord
        const city = yield* cityServer()
        city.answers.set("/calendar.ics", says(events, "text/calendar"))
        city.answers.set("/page", says("<!doctype html><html></html>", "text/html"))
        const typed = { kind: "ical", url: `${city.url}/page`, place: "springfield", hours: "7" }
        const refused = yield* send("/sources", typed)
        assert.strictEqual(refused.status, 422)
        assert.include(refused.text, "is not such a calendar")
        assert.include(refused.text, `value="${city.url}/page"`)
        assert.include(refused.text, 'value="7"')
        assert.match(refused.text, /<option value="ical" selected/)
        assert.include(refused.text, ">Save it anyway</button>")
        const asked = () => city.asked.filter(({ path }) => path !== "/robots.txt").length
        assert.strictEqual(asked(), 1)
        const db = yield* Db
        assert.deepStrictEqual(yield* db`select from source where url = ${typed.url}`, [])

        const warned = yield* send("/sources", { ...typed, anyway: "yes" })
        assert.include(warned.text, "was saved although")
        assert.strictEqual(asked(), 1)

        city.answers.set(
          "/meetings",
          says('<html><body><a href="/calendar.ics">Subscribe</a></body></html>', "text/html")
        )
        const found = yield* look(`/sources/find?url=${encodeURIComponent(`${city.url}/meetings`)}`)
        assert.include(found.text, ">iCalendar<")
        assert.include(found.text, `name="url" value="${city.url}/calendar.ics"`)
        assert.include((yield* look("/sources/find?url=nothing")).text, "Give an http or https address")
        assert.include(
          (yield* send("/sources", { ...typed, url: `${city.url}/calendar.ics` })).text,
          "Its address has 1 meeting from"
        )
        const nowhere = yield* send("/sources", { ...typed, place: "atlantis" })
        assert.strictEqual(nowhere.status, 422)
        assert.include(nowhere.text, "place: No one place is “atlantis”. Give one of these if it is meant")
        assert.include(nowhere.text, 'value="atlantis"')
        const none = yield* send("/sources", { ...typed, place: "Qqqqqqqq, TN" })
        assert.include(none.text, "No place on record is “Qqqqqqqq, TN”, and the gazetteer knows none.")
        // Nothing was asked about a server that is not there, and the place that was typed did not come on record.
        const off = { ...typed, url: "http://127.0.0.1:1/x.ics", place: "oak ridge, Tenn." }
        const unread = yield* send("/sources", off)
        assert.include(unread.text, "url: the address could not be read. Its server refuses connections")
        assert.deepStrictEqual(yield* db`select from place where slug = 'oak-ridge'`, [])
        const kept = yield* send("/sources", { ...off, anyway: "yes" })
        assert.include(kept.text, "Oak Ridge, TN, is now on record as oak-ridge.")
        assert.deepStrictEqual(yield* db`select name, kind, state, county from place where slug = 'oak-ridge'`, [
          { name: "Oak Ridge", kind: "city", state: "TN", county: "Anderson County" }
        ])
        // On record, the name is enough; several of one name are told apart.
        assert.notInclude(
          (yield* send("/sources", { ...off, place: "Oak Ridge", anyway: "yes" })).text,
          "is now on record"
        )
        const several = yield* send("/sources", { ...off, place: "Knox County" })
        assert.match(several.text, /place: No one place is “Knox County”[^<]*Knox County, TN/)
        assert.include(
          (yield* send("/runs", { place: "Knox County, Tennessee" })).text,
          "Completion run of Knox County"
        )
        // What cannot be an address is not asked, and cannot be saved anyway.
        const file = yield* send("/sources", { ...typed, url: "file:///etc/passwd" })
        assert.include(file.text, "url must be an http or https address.")
        assert.notInclude(file.text, "Save it anyway")
      })
    )

    it.effect("are corrected and removed, and their meetings stay", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const city = yield* cityServer()
        city.answers.set("/new.ics", says(events, "text/calendar"))
        const id = yield* source("springfield")
        yield* db`update source set kind = 'ical', etag = '"1"', every = '1 hour',
        credentials = '{"user":"a:b","parameters":[]}', crawl_at = now() + interval '1 hour',
        past_from = '2020-01-01', past_to = '2024-12-31', past_left = '2022-06-30' where id = ${id}`
        const page = yield* look(`/sources/${id}`)
        assert.match(
          page.text,
          /Asked for<.*2020-01-01 to 2024-12-31.*Listed<.*>50 %, .*2020-01-01 to 2022-06-30: 912 days/
        )
        const past = `/sources/${id}/past`
        // An hour of the past of a calendar that cannot be read is not estimated, and can be asked for all the same.
        const days = { from: "2020-01-01", to: "2024-12-31" }
        yield* db`update source set url = ${`${city.url}/gone.ics`} where id = ${id}`
        const estimate = yield* look(`${past}?${new URLSearchParams(days)}`)
        assert.include(estimate.text, "It could not be estimated. Nothing was found at its address (HTTP 404).")
        assert.include(estimate.text, ">Begin</button>")
        assert.include((yield* look(`${past}?from=2020-02-31`)).text, "must be days that exist")
        assert.include((yield* look(`${past}?from=2021-01-01&to=2020-01-01`)).text, "from must not be after to.")
        const wrong = yield* send(past, { ...days, from: "soon" })
        assert.strictEqual(wrong.status, 422)
        assert.include((yield* send(past, days)).text, "of which those after 2022-06-30 were listed before")
        assert.include((yield* look(`/sources/${id}`)).text, ">Stop it</button>")
        assert.include((yield* send(`${past}/stop`)).text, "It is stopped.")
        assert.include((yield* send(`${past}/stop`)).text, "It was not running.")
        assert.include((yield* look(`/sources/${id}`)).text, ">Go on where it stopped</button>")
        const permission = `/sources/${id}/permission`
        const unsaid = yield* send(permission, { why: "  " })
        assert.strictEqual(unsaid.status, 422)
        assert.include(unsaid.text, "why is empty: fill it in.")
        assert.include((yield* send(permission, { why: "The clerk <asked> us." })).text, "The clerk &lt;asked&gt; us.")
        assert.include((yield* send(`${permission}/withdraw`, {})).text, "Its robots.txt is obeyed again.")
        assert.include((yield* send(`${permission}/withdraw`, {})).text, "It was obeyed already.")
        assert.include((yield* look(`/sources/${id}`)).text, ">Read it all the same</button>")
        yield* db`update source set url = 'https://springfield.example.gov/' where id = ${id}`
        assert.match(page.text, /<h1>Springfield, springfield\.example\.gov\/[^<]+<\/h1>/)
        const to = { url: `${city.url}/new.ics`, place: "springfield", hours: "2" }
        const gone = yield* send(`/sources/${id}`, { ...to, url: `${city.url}/old.ics` })
        assert.strictEqual(gone.status, 422)
        assert.include(gone.text, "Nothing was found at its address (HTTP 404).")
        assert.include(gone.text, `value="${city.url}/old.ics"`)
        assert.include((yield* send(`/sources/${id}`, to)).text, "It is corrected. Its address has 1 meeting")
        assert.include((yield* send(`/sources/${id}`, to)).text, "It was like this already.")
        assert.deepStrictEqual(
          // Credentials of another server are not shown to the new one.
          yield* db`select url, etag, credentials, every::text, crawl_at <= clock_timestamp() as due
          from source where id = ${id}`,
          [{ url: to.url, etag: null, credentials: null, every: "02:00:00", due: true }]
        )
        const twin = yield* source("springfield")
        yield* db`update source set kind = 'ical' where id = ${twin}`
        assert.strictEqual((yield* send(`/sources/${twin}`, to)).status, 409)

        yield* discovered(id, "Zoning")
        yield* db`
        insert into discovered (id, source_id, source_body, external_id, title, date, timezone, imported_at)
        values (${meetingId("full")}, ${id}, 'Zoning', 'x', 'x', '2026-02-03', 'America/Chicago', now())`
        const asks = yield* look(`/sources/${id}/remove`)
        assert.match(asks.text, /stay on record<\/dt><dd>1<.*forgotten<\/dt><dd>1</)
        assert.include((yield* send(`/sources/${id}/remove`)).text, "1 meeting of it stay")
        assert.strictEqual((yield* look(`/sources/${id}`)).status, 404)
        assert.strictEqual((yield* look(`/meetings/${meetingId("full")}`)).status, 200)
        assert.include((yield* look("/history")).text, "source.remove")
      })
    )

    it.effect("that are channels take the bodies they belong to, and show the recordings that wait", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const typed = { kind: "youtube", url: "https://www.youtube.com/feeds/videos.xml?channel_id=UC1", hours: "6" }
        const given = { ...typed, place: "springfield", anyway: "yes", bodies: "parks-a" }
        assert.include((yield* send("/sources", { ...given, kind: "ical" })).text, "bodies are for channels")
        assert.strictEqual((yield* send("/sources", { ...given, bodies: "parks-a, nobody" })).status, 422)
        assert.deepStrictEqual(yield* db`select from source where url = ${typed.url}`, [])
        yield* send("/sources", given)
        const [channel] = yield* db<{
          id: string
        }>`select id from source where url = ${typed.url}`
        const id = channel?.id ?? assert.fail()
        const film = "https://www.youtube.com/watch?v=bbbbbbbbbbb"
        yield* db`
          insert into source_body (source_id, source_body, body_id) select ${id}, 'Parks', id from body where slug = 'parks-a'`
        yield* db`
          insert into discovered (source_id, source_body, external_id, title, date, timezone, video_url, doubt)
          values (${id}, 'Parks', 'b', 'Parks <b>', '2026-02-03', 'America/Chicago', ${film}, 'No day is said.')`
        const page = yield* look(`/sources/${id}`)
        assert.include(page.text, "Recordings that wait for you")
        assert.include(page.text, `>Parks &lt;b&gt;</a> No day is said.`)
        assert.include((yield* look("/")).text, `The recording Parks &lt;b&gt; (${film}) waits for you`)
        const [to, settled] = [`/sources/${id}/recordings`, { recording: film, meeting: "" }]
        assert.strictEqual((yield* send(to, { recording: film, meeting: meetingId("none") })).status, 422)
        assert.include((yield* send(to, settled)).text, "It is of no meeting.")
        assert.include((yield* send(to, settled)).text, "It was settled so already.")
        const settledPage = (yield* look(`/sources/${id}`)).text
        assert.notInclude(settledPage, "Recordings that wait for you")
        assert.match(settledPage, /name="bodies"[^>]*value="parks-a"|value="parks-a"[^>]*name="bodies"/)
        const edited = { url: typed.url, place: "springfield", hours: "6", bodies: "" }
        assert.strictEqual((yield* send(`/sources/${id}`, { ...edited, bodies: "nobody" })).status, 422)
        assert.include((yield* send(`/sources/${id}`, edited)).text, "It is corrected.")
        assert.deepStrictEqual(yield* db`select body_slugs from source where id = ${id}`, [{ body_slugs: [] }])
        assert.include((yield* send(`/sources/${id}`, edited)).text, "It was like this already.")
      })
    )

    it.effect("and every other form keep what was typed when they are refused", () =>
      Effect.gen(function* () {
        const { source: id } = yield* operated
        const forms: ReadonlyArray<readonly [path: string, form: Readonly<Record<string, string>>]> = [
          [`/sources/${id}/bodies`, { source_body: "Zoning & more", agency_slug: "nobody" }],
          [`/meetings/${meetingId("full")}`, { title: "Typed", date: "2026-02-30", agency: "typed" }],
          ["/tokens", { machine: "x".repeat(101), run: "" }],
          ["/runs", { place: "atlantis" }],
          ["/settings/change", { name: "lanes.web", value: "many" }],
          ["/bodies/merge", { from: "parks-a", into: "parks-a" }]
        ]
        for (const [path, form] of forms) {
          const { status, text } = yield* send(path, form)
          if (path === "/bodies/merge") {
            assert.strictEqual(status, 422)
            continue
          }
          assert.strictEqual(status, 422, path)
          assert.match(text, /role="alert"/, path)
          for (const [name, value] of Object.entries(form)) {
            if (name !== "name" && value !== "") assert.include(text, `value="${value.replace("&", "&amp;")}"`, path)
          }
        }
      })
    )

    it.effect("have a page for addresses that lead nowhere, and scripts the error shape", () =>
      Effect.gen(function* () {
        const browser = { accept: "text/html,application/xhtml+xml" }
        const none = yield* look("/sauces", browser)
        assert.strictEqual(none.status, 404)
        assert.match(none.text, /<h1>Not found<\/h1>.*There is nothing at \/sauces/)
        assert.include(none.text, 'href="/sources"')
        const act = yield* look(`/sources/${meetingId("none")}/crawl`, browser)
        assert.strictEqual(act.status, 405)
        assert.include(act.headers.get("allow") ?? "", "POST")
        assert.match(act.text, /<h1>No page is here<\/h1>/)
        assert.deepInclude((yield* look("/sauces")).json(), { error: "not_found" })
      })
    )
  }
)
