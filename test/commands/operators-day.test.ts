import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { deployment } from "../record/importing.ts"
import { agency, clipId, meeting, meetingId, place, putOnRecord, said } from "../support/builders.ts"
import { failedTask } from "../support/operators.ts"
import { ran, ranHere } from "../support/program.ts"
import { refinedHere } from "../support/refined-here.ts"

describe("an operator's day on the command line", () => {
  it.live("does what the console does, and records all of it in the history", () =>
    Effect.gen(function* () {
      const { on, env } = yield* deployment
      const run = (...args: ReadonlyArray<string>) => ranHere(env, ...args)
      const { task, removal } = yield* on(
        Effect.gen(function* () {
          yield* putOnRecord(
            place("lincoln"),
            agency("board", ["lincoln"]),
            agency("bord", ["lincoln"]),
            meeting("typo", "board", { title: "Regulr Meeting" }),
            meeting("wrong", "board"),
            meeting("twin", "bord"),
            {
              type: "clip",
              id: clipId("a"),
              meeting_id: meetingId("typo"),
              title: "Levee",
              start: 0,
              end: 9,
              state: "proposal"
            }
          )
          const [removal = ""] = yield* refinedHere("typo", said(["I live at 12 Elm Street.", "The levee holds."]))
          return { task: yield* failedTask("typo", "detect"), removal }
        })
      )
      const calendar = ["--kind", "ical", "--url", "https://lincoln.gov/a.ics", "--place", "lincoln"]
      const addSource = (every: string) => run("source", "add", ...calendar, "--every", every)
      const [minted, started, added, corrected, published, merged, removed, retried, set, wrong] = yield* Effect.all(
        [
          // Run as a separate process, to check that nothing else reaches standard output.
          ran(env, "token", "mint", "--machine", "night-build"),
          // A run crawls the sources that its place has at the start; a crawl under way is not started again.
          run("run", "start", "lincoln"),
          addSource("12h"),
          run("meeting", "correct", meetingId("typo"), "--title", "Regular Meeting"),
          run("clip", "publish", clipId("a")),
          run("agency", "merge", "bord", "board"),
          run("remove", "meeting", meetingId("wrong"), "--reason", "It was never public."),
          run("task", "retry", task),
          run("settings", "set", "lanes.web", "3"),
          addSource("5s")
        ],
        { concurrency: 2 }
      )
      assert.match(added.err, /The service crawls it next\./)
      for (const { code, err } of [corrected, published, merged, removed, retried, set]) {
        assert.deepStrictEqual([code, err], [0, ""])
      }
      // Values that scripts capture are alone on standard output.
      assert.match(minted.out, /^cr_agent_[\w-]{43}\n$/)
      assert.match(started.out, /^[\w-]{36}\n$/)
      assert.strictEqual(wrong.code, 1)
      assert.match(wrong.err, /30m, 6h or 1d/)

      const [listedWords, putBack, takenOut, unsaid] = yield* Effect.all([
        run("removal", "list", "--meeting", meetingId("typo")),
        run("removal", "restore", removal),
        run("removal", "take-out", meetingId("typo"), "6", "levee", "--kind", "other"),
        run("removal", "take-out", meetingId("typo"), "6", "dam")
      ])
      assert.match(listedWords.out, new RegExp(`^${removal}\t.*\thome\t.*\tremoved\t12 Elm Street\n$`))
      assert.strictEqual(putBack.out, "The words are back in the transcript.\n")
      assert.strictEqual(takenOut.out, "The words are out of the transcript.\n")
      assert.match(unsaid.err, /No line at second 6 has these words/)

      const source = added.out.trim()
      const [crawled, cancelled, listed, again] = yield* Effect.all(
        [run("source", "crawl", source), run("task", "cancel", task), run("token", "list"), run("task", "retry", task)],
        { concurrency: 1 }
      )
      assert.match(crawled.out, /^The crawl is waiting, as task .* No running worker does the stage crawl\./)
      assert.strictEqual(cancelled.code, 0)
      assert.strictEqual(again.code, 1)
      assert.match(again.err, /is cancelled: only a task that failed or waits until later is retried/)
      const [tokenId = ""] = listed.out.split("\t")
      assert.notInclude(listed.out, minted.out.trim())
      assert.strictEqual((yield* run("token", "revoke", tokenId)).code, 0)

      yield* on(
        Effect.gen(function* () {
          const db = yield* Db
          const [row] = yield* db<Record<string, unknown>>`
              select (select title from meeting where id = ${meetingId("typo")}) as title,
                (select state from clip where id = ${clipId("a")}) as clip,
                (select count(*)::int from meeting m join body b on b.id = m.body_id where b.slug = 'board') as meetings,
                (select reason from removed_meeting where id = ${meetingId("wrong")}) as reason,
                (select at_once from lane where name = 'web') as web,
                (select extract(epoch from every)::int from source where id = ${source}) as every,
                (select count(*)::int from agent_token where revoked_at is null) as tokens`
          assert.deepStrictEqual(row, {
            title: "Regular Meeting",
            clip: "published",
            meetings: 2,
            reason: "It was never public.",
            web: 3,
            every: 43_200,
            tokens: 0
          })
          const actions = yield* db<{ action: string; operator: string }>`
              select action, operator from operator_action order by action`
          assert.deepStrictEqual(
            actions.map(({ action }) => action),
            ["agency.merge", "clip.publish", "meeting.correct", "meeting.remove"].concat([
              "removal.restore",
              "removal.take-out",
              "run.start",
              "setting.set",
              "source.add",
              "source.crawl",
              "task.cancel",
              "task.retry",
              "token.mint",
              "token.revoke"
            ])
          )
          assert.isTrue(actions.every(({ operator }) => operator === "the command line"))
        })
      )
    })
  )
})
