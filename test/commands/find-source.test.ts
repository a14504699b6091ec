import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { UsualGap } from "../../src/services/sources/host-pace.ts"
import { deployment } from "../record/importing.ts"
import { cityServer, says, status } from "../support/city-server.ts"
import { day } from "../support/legistar-city.ts"
import { ranHere } from "../support/program.ts"
import { agendaCenterSite } from "../support/vendors/agendacenter.ts"

describe("source find", () => {
  it.live("leads from a city's page to its calendar, and adds it with its place from the gazetteer", () =>
    Effect.gen(function* () {
      const { on, env: plain } = yield* deployment
      const env = { ...plain, ALLOW_PRIVATE_SOURCES: "1" }
      const run = (...args: ReadonlyArray<string>) =>
        Effect.provideService(ranHere(env, "source", ...args), UsualGap, 0.001)
      const city = yield* cityServer()
      agendaCenterSite(city)
      city.answers.set("/", status(302, { location: "/home" }))
      city.answers.set(
        "/home",
        says(
          `<html><body><a href="/AgendaCenter/Council-7">Agendas &amp; Minutes</a>
            <a href="https://simbli.eboardsolutions.com/SB_Meetings/SB_MeetingListing.aspx?S=1">School board</a></body></html>`,
          "text/html"
        )
      )
      const found = yield* run("find", `${city.url}/`)
      assert.strictEqual(found.code, 0, found.err)
      assert.include(found.out, `CivicPlus AgendaCenter (agendacenter)  ${city.url}/AgendaCenter`)
      assert.include(found.out, "2 bodies: City Council, Housing PRC")
      assert.match(
        found.out,
        new RegExp(`${day(-10)} {8}City Council Meeting {2}\\(agenda, packet, minutes, items, recording\\)`)
      )
      assert.include(found.out, "It seems to be Simbli, which refuses programs.")
      assert.include(found.err, "Nothing was added. Say whose calendar it is")

      const added = yield* run("find", `${city.url}/`, "--place", "Emporia, KS", "--yes")
      assert.match(added.out, /^[\w-]{36}\n$/)
      assert.include(added.err, "Emporia, KS, is now on record as emporia.")
      const owned = yield* run("find", `${city.url}/`, "--place", "emporia", "--yes", "--body", "council")
      assert.include(owned.err, "--body and --any-body are for channels")
      const again = yield* run("add", "--url", `${city.url}/`, "--place", "emporia")
      assert.strictEqual(again.out, added.out)
      const ofKind = ["--kind", "agendacenter", "--url", `${city.url}/AgendaCenter`]
      assert.strictEqual((yield* run("add", ...ofKind, "--place", "Emporia, KS")).out, added.out)
      yield* on(
        Effect.gen(function* () {
          const db = yield* Db
          assert.deepStrictEqual(
            yield* db`select s.kind, s.url, p.slug, p.state, p.county from source s join place p on p.id = s.place_id`,
            [
              {
                kind: "agendacenter",
                url: `${city.url}/AgendaCenter`,
                slug: "emporia",
                state: "KS",
                county: "Lyon County"
              }
            ]
          )
        })
      )

      city.answers.set("/home", says("<html><body>Welcome</body></html>", "text/html"))
      const nothing = yield* run("find", `${city.url}/`)
      assert.strictEqual(nothing.code, 1)
      assert.include(nothing.err, "It is a page that leads to no calendar that can be read.")
      assert.include(nothing.err, "Give the page that lists the meetings")

      city.answers.set("/agenda", says("%PDF-1.7", "application/pdf"))
      city.answers.set("/film", says(Buffer.from([0, 0, 0, 24]), "video/mp4"))
      city.answers.set("/guarded", status(403))
      city.answers.set("/staff", says('<form><input name="word" type="Password"></form>', "text/html"))
      city.answers.set(
        "/feed",
        says('<rss version="2.0"><channel><title>News</title></channel></rss>', "application/rss+xml")
      )
      for (const [at, why, nextStep] of [
        ["agenda", "It is a PDF, such as an agenda.", "Give the page that lists the meetings"],
        ["film", "It is a file, and no page.", "civic-record media add MEETING URL"],
        ["staff", "It is a page that asks for a sign-in.", "Look for a page that anyone may read. Give the page"],
        ["guarded", "The server answered with HTTP 403.", "its server turns programs away"],
        ["feed", "It has no meeting from a year ago to a year from now.", "Give the page that lists the meetings"],
        ["nowhere", "HTTP 404", "Look whether the address is right. Give the page"]
      ] as const) {
        const { err } = yield* run("find", `${city.url}/${at}`)
        assert.include(err, why)
        assert.include(err, nextStep)
      }
    }).pipe(Effect.scoped)
  )
})
