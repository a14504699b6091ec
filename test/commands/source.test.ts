import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { deployment } from "../record/importing.ts"
import { agency, meeting, place, putOnRecord } from "../support/builders.ts"
import { ranHere } from "../support/program.ts"

describe("a body that a source lists under a similar name", () => {
  it.live("is said to wait for an operator wherever sources are shown, and is settled with one command", () =>
    Effect.gen(function* () {
      const { on, env } = yield* deployment
      const run = (...args: ReadonlyArray<string>) => ranHere(env, "source", ...args)
      const calendar = ["--kind", "json", "--url", "https://quarry.gov/calendar", "--place", "quarry"]
      yield* on(
        putOnRecord(
          place("quarry", { name: "Quarry" }),
          agency("quarry-common-council", ["quarry"], { name: "Quarry Common Council" })
        )
      )
      const added = yield* run("add", ...calendar)
      const id = added.out.trim()
      assert.match(added.err, /crawls it next\. Then civic-record source show [\w-]{36} names the bodies/)
      // As its first crawl leaves it.
      yield* on(
        Effect.gen(function* () {
          const db = yield* Db
          yield* db`update source set crawled_at = now(), outcome = 'ok', etag = '"1"' where id = ${id}`
          yield* db`insert into source_body (source_id, source_body) values (${id}, 'Quarry City Council'), (${id}, 'Mayor''s Court')`
          yield* db`
            insert into discovered (source_id, source_body, external_id, title, date, timezone, same_as)
            select ${id}, 'Quarry City Council', '1', 'Regular', '2026-03-10', 'America/Chicago', id from body`
        })
      )
      const waits =
        "Quarry City Council waits for an operator: Quarry has a body with a similar name, Quarry Common Council (quarry-common-council)."
      const command = `civic-record source map ${id} 'Quarry City Council' quarry-common-council`
      const [again, listed, shown] = [yield* run("add", ...calendar), yield* run("list"), yield* run("show", id)]
      assert.strictEqual(again.out.trim(), id)
      for (const text of [again.err, shown.out]) {
        assert.include(text, waits)
        assert.include(text, command)
        assert.include(text, `civic-record source map ${id} 'Mayor'\\''s Court' AGENCY`)
      }
      assert.match(listed.out, /\t2 bodies wait for you\n$/)

      const wrong = yield* run("map", id, "Quarry City Council")
      assert.deepInclude(wrong, { code: 1 })
      assert.include(wrong.err, "Give the slug of the body that it is, or --new.")
      assert.include((yield* run("map", id, "Quarry Council", "quarry-common-council")).err, "lists nothing under")
      assert.include((yield* run("map", id, "Quarry City Council", "nobody")).err, "nobody")
      const mapped = yield* run("map", id, "Quarry City Council", "quarry-common-council")
      assert.strictEqual(mapped.out, "Quarry City Council is quarry-common-council; the source is crawled again.\n")
      const founded = yield* run("map", id, "Mayor's Court", "--new")
      assert.strictEqual(founded.out, "Mayor's Court is a body of its own; the source is crawled again.\n")
      assert.strictEqual((yield* run("map", id, "Mayor's Court", "--new")).out, "It was settled so already.\n")
      assert.include((yield* run("edit", id)).err, "--url, --place, --every")
      const edited = yield* run("edit", id, "--url", "https://quarry.gov/events", "--every", "1d")
      assert.strictEqual(edited.out, "The source is corrected.\n")
      assert.strictEqual((yield* run("edit", id, "--every", "1d")).out, "It was like this already.\n")
      assert.include((yield* run("edit", id, "--place", "atlantis")).err, "atlantis")
      assert.strictEqual((yield* run("pause", id)).out, "The source is no longer crawled.\n")
      assert.match((yield* run("list")).out, /https:\/\/quarry\.gov\/events\tok\tpaused\t/)
      assert.strictEqual((yield* run("resume", id)).out, "The source is crawled next.\n")
      const left = yield* on(
        Effect.flatMap(
          Db,
          (db) => db`select etag, (select count(*)::int from flow where kind = 'crawl') as crawls,
            array(select action from operator_action order by id) as actions from source`
        )
      )
      assert.deepStrictEqual(left, [
        {
          etag: null,
          crawls: 1,
          actions: ["source.add", "source.map", "source.found", "source.edit", "source.pause", "source.resume"]
        }
      ])
      const removed = yield* run("remove", id)
      assert.strictEqual(
        removed.out,
        "https://quarry.gov/events is removed. Of its meetings, 0 stay on record, and 1 that were not on record are forgotten.\n"
      )
      assert.include((yield* run("show", id)).err, "source")
    })
  )
})

describe("a channel of recordings", () => {
  it.live("is added with the bodies that it belongs to, and its unsure recordings are settled with one command", () =>
    Effect.gen(function* () {
      const { on, env } = yield* deployment
      const run = (...args: ReadonlyArray<string>) => ranHere(env, "source", ...args)
      const at = ["--url", "https://www.youtube.com/feeds/videos.xml?channel_id=UC1", "--place", "quarry"]
      yield* on(
        putOnRecord(
          place("quarry", { name: "Quarry" }),
          agency("quarry-council", ["quarry"], { name: "Quarry Council" }),
          meeting("held", "quarry-council", { date: "2026-03-10", title: "Regular Meeting" })
        )
      )
      assert.include((yield* run("add", "--kind", "json", ...at, "--body", "quarry-council")).err, "are for channels")
      assert.include((yield* run("add", "--kind", "youtube", ...at, "--body", "nobody")).err, "nobody")
      const id = (yield* run("add", "--kind", "youtube", ...at, "--body", "quarry-council")).out.trim()
      const film = "https://www.youtube.com/watch?v=-aaaaaaaaaa"
      yield* on(
        Effect.gen(function* () {
          const db = yield* Db
          assert.deepStrictEqual(yield* db`select body_slugs from source where id = ${id}`, [
            { body_slugs: ["quarry-council"] }
          ])
          yield* db`
            insert into source_body (source_id, source_body, body_id) select ${id}, 'Quarry Council', id from body`
          yield* db`
            insert into discovered (source_id, source_body, external_id, title, date, timezone, video_url, doubt)
            values (${id}, 'Quarry Council', '1', 'Council', '2026-03-12', 'America/Chicago', ${film}, 'No day is said.')`
        })
      )
      const shown = yield* run("show", id)
      assert.include(shown.out, "Belongs to:      quarry-council\n")
      assert.include(shown.out, `Recording:       Council  ${film}\n  No day is said.`)
      assert.include(
        shown.out,
        `If it is Regular Meeting of 2026-03-10, run: civic-record source pair ${id} '${film}' `
      )
      assert.include((yield* run("pair", id, film)).err, "Give the id of the meeting that it is of, or --none.")
      const held = /' ([\w-]{36})\n/.exec(shown.out)?.[1] ?? assert.fail()
      assert.strictEqual((yield* run("pair", id, film, held)).out, "The meeting has its recording.\n")
      assert.notInclude((yield* run("show", id)).out, film)
      const left = yield* on(
        Effect.flatMap(
          Db,
          (db) => db`select m.video_url, count(*)::int as flows from meeting m join flow f
          on f.meeting_id = m.id group by 1`
        )
      )
      assert.deepStrictEqual(left, [{ video_url: film, flows: 1 }])
      assert.include((yield* run("edit", id)).err, "--body or --any-body")
      assert.include((yield* run("edit", id, "--any-body", "--body", "quarry-council")).err, "or --any-body")
      assert.include((yield* run("edit", id, "--body", "nobody")).err, "nobody")
      assert.strictEqual((yield* run("edit", id, "--any-body")).out, "The source is corrected.\n")
      assert.strictEqual((yield* run("edit", id, "--any-body")).out, "It was like this already.\n")
      assert.notInclude((yield* run("show", id)).out, "Belongs to:")
      yield* run("edit", id, "--body", "quarry-council")
      assert.include((yield* run("show", id)).out, "Belongs to:      quarry-council\n")
      const calendar = (yield* run("add", "--kind", "json", ...at)).out.trim()
      assert.include((yield* run("edit", calendar, "--any-body")).err, "are for channels")
    })
  )
})
