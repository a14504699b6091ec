import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import type { Page } from "playwright-core"
import { Db } from "../../layers/db/db.ts"
import { OperatorAddress } from "../../src/http/operator/server.ts"
import { GivenRecordings } from "../../src/services/making/given-recordings.ts"
import { AgentTokens } from "../../src/services/operators/agent-tokens.ts"
import { PipelineLog } from "../../src/services/queue/pipeline-log.ts"
import { Settings } from "../../src/services/settings/settings.ts"
import { ask } from "../support/asked.ts"
import { agency, clipId, meeting, meetingId, place, putOnRecord, said } from "../support/builders.ts"
import { ConsoleService } from "../support/console.ts"
import { fullRecord } from "../support/full-record.ts"
import { eachPage, fits, isAccessible, opened } from "../support/opened-page.ts"
import { operated, source as operatedSource } from "../support/operators.ts"
import { refinedHere } from "../support/refined-here.ts"
import { scratch } from "../support/rendering.ts"
import { serviceAddress } from "../support/service.ts"

const patience = 300_000

/** Posters are at the public address, which leads nowhere here. */
const expected = /404 \(Not Found\)|ERR_NAME_NOT_RESOLVED/

/** Presses a button that leads to another page, and waits for that page's status message. */
const press = async (page: Page, button: string | RegExp, says: string | RegExp) => {
  await page.getByRole("button", { name: button }).first().click()
  await page.getByRole("status").filter({ hasText: says }).waitFor()
}

const log = (message: string) =>
  PipelineLog.use(({ append }) =>
    append([{ at: new Date().toISOString(), source: "worker", level: "info", message, fields: { jobs: 4 } }])
  )

layer(ConsoleService, { excludeTestServices: true })("the pages of the console in Chromium", (it) => {
  it.effect(
    "fits the screen and passes the accessibility rules, light and dark",
    (test) =>
      Effect.gen(function* () {
        yield* fullRecord
        const { run, source, task } = yield* operated
        yield* refinedHere("full", said(["I live at 2214 Maple Street.", "The levee holds."]))
        yield* log("The worker waits for tasks")
        // Faults to look at: two of one kind for one reason, and one alone.
        const db = yield* Db
        yield* operatedSource("springfield")
        yield* db`update source set outcome = 'failed', crawled_at = now(), failing_since = now(),
          failure = 'The server answered with HTTP 403.'`
        yield* db`update briefing set published_at = now() - interval '2 days', served = null`
        const base = yield* OperatorAddress
        const pages = {
          overview: "/",
          tasks: "/tasks",
          task: `/tasks/${task}`,
          workers: "/workers",
          logs: "/logs",
          costs: "/costs",
          meetings: "/meetings?include_bare=true",
          meeting: `/meetings/${meetingId("full")}`,
          recording: `/meetings/${meetingId("full")}/recording`,
          takedown: `/meetings/${meetingId("full")}/takedown`,
          gaps: "/gaps",
          clips: "/clips?state=published",
          removals: `/removals?meeting=${meetingId("full")}`,
          bodies: "/bodies",
          merge: "/bodies/merge?from=parks-a&into=parks-b",
          people: "/people",
          people_merge: "/people/merge?from=springfield-ada-marsh&into=springfield-ben-ortiz",
          sources: "/sources",
          source: `/sources/${source}`,
          "source-removal": `/sources/${source}/remove`,
          runs: "/runs",
          run: `/runs/${run}`,
          drills: "/drills",
          settings: "/settings/pipeline",
          change: "/settings/change?name=lanes.media&value=2",
          tokens: "/tokens",
          history: "/history",
          nowhere: "/tasks/nowhere"
        }
        const browser = yield* opened(test, base, { bypassCSP: true, expected })
        const { page } = browser
        yield* Effect.promise(() =>
          eachPage(browser, base, pages, async (name) => {
            for (const width of [1280, 360]) await fits(page, name, width)
            // On a phone no table has to be scrolled sideways.
            const wide = await page.evaluate(
              "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth + 1).length"
            )
            assert.strictEqual(wide, 0, name)
            // The accessibility rules do not depend on the width.
            await isAccessible(page, name)
          })
        )
      }),
    patience
  )
})

layer(ConsoleService, { excludeTestServices: true })("the console in Chromium", (it) => {
  it.effect(
    "supports an operator's day without scripts",
    (test) =>
      Effect.gen(function* () {
        const db = yield* Db
        const tokens = yield* AgentTokens
        const settings = yield* Settings
        const base = yield* OperatorAddress
        const site = yield* serviceAddress
        yield* fullRecord
        const [full, bare] = [meetingId("full"), meetingId("bare")]
        yield* putOnRecord({
          type: "clip",
          id: clipId("levee"),
          meeting_id: full,
          title: "The levee vote",
          start: 5,
          end: 15,
          state: "proposal"
        })
        const { page, complaints } = yield* opened(test, `${base}/clips`, { javaScriptEnabled: false, expected })
        const does = (act: () => Promise<unknown>) => Effect.promise(act)

        yield* does(() => press(page, "Publish The levee vote", "is published"))
        yield* db`update task set state = 'failed', attempts = 3, ended_at = now(), failure = 'ffmpeg ended early.'
          where stage = 'clip' and flow_id = (select id from flow where clip_id = ${clipId("levee")})`
        yield* does(async () => {
          await page.goto(base)
          await page.getByText("The stage clip failed: ffmpeg ended early.").waitFor()
          // The remedy stands beside the fault.
          await press(page, "Retry", "clip will be tried again, with a fresh count.")
        })

        yield* does(async () => {
          await page.goto(`${base}/bodies/merge?from=parks-a`)
          await page.getByLabel("Slug of the body that remains").fill("parks-b")
          await page.getByRole("button", { name: "Show" }).click()
          await page.getByText("A merge can be undone for 90 days.").waitFor()
          await press(page, "Merge them", "parks-a was merged into parks-b")
        })
        assert.strictEqual((yield* ask(`${site}/api/agencies/parks-a`)).json().slug, "parks-b")

        yield* does(async () => {
          await page.goto(`${base}/meetings/${full}`)
          await page.getByLabel("Title").fill("Levee hearing")
          await press(page, "Correct it", "It is corrected")
          await page.goto(`${base}/meetings/${bare}/takedown`)
          await page.getByLabel("Reason").fill("It was never public.")
          await press(page, "Take it down", "off the record")
        })
        assert.strictEqual((yield* ask(`${site}/api/meetings/${full}`)).json().title, "Levee hearing")
        assert.strictEqual((yield* ask(`${site}/api/meetings/${bare}`)).status, 410)

        const token = yield* Effect.promise(async () => {
          await page.goto(`${base}/tokens`)
          await page.getByLabel("Name of the machine").fill("night-build")
          await press(page, "Mint it", "The token of night-build")
          return page.locator(".secret").innerText()
        })
        assert.strictEqual((yield* tokens.holder(token))._tag, "Some")
        yield* does(() => press(page, "Revoke night-build", "The token is revoked"))
        assert.strictEqual((yield* tokens.holder(token))._tag, "None")

        yield* does(async () => {
          await page.goto(`${base}/settings/pipeline`)
          await page.getByRole("button", { name: "Switch off pipeline.AutoClips" }).click()
          await press(page, "Change it everywhere now", "pipeline.AutoClips is now false")
          await page.reload()
          assert.strictEqual(await page.getByText("pipeline.AutoClips is now false").count(), 0)
        })
        assert.isFalse(yield* settings.get("pipeline.AutoClips"))
        assert.deepStrictEqual(complaints, [])
      }),
    patience
  )

  it.effect("goes on with an upload that another window began", (test) =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(place("lincoln"), agency("board", ["lincoln"]), meeting("filmed", "board"))
      const base = yield* OperatorAddress
      const { page, complaints } = yield* opened(test, `${base}/meetings/${meetingId("filmed")}/recording`)
      const film = path.join(yield* scratch, "film.mp4")
      fs.writeFileSync(film, Buffer.alloc(2500, "a"))
      const modified = Math.floor(fs.statSync(film).mtimeMs)
      const { id } = yield* GivenRecordings.use(({ begin }) =>
        begin(meetingId("filmed"), { name: "film.mp4", bytes: 2500, modified })
      )
      yield* db`update given_recording set piece_bytes = 1000 where id = ${id}`
      yield* GivenRecordings.use(({ append }) => append(id, 0, Stream.make(new Uint8Array(1000))))
      const sent: Array<string | undefined> = []
      page.on(
        "request",
        (request) => void (request.method() === "PATCH" && sent.push(request.headers()["upload-offset"]))
      )
      yield* Effect.promise(async () => {
        await page.getByLabel("File", { exact: true }).setInputFiles(film)
        await page.getByRole("button", { name: "Upload it" }).click()
        await page.waitForURL(`${base}/meetings/${meetingId("filmed")}`)
      })
      assert.deepStrictEqual(sent, ["1000", "2000"])
      assert.lengthOf(yield* db`select from given_recording where id = ${id} and finished_at is not null`, 1)
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.scoped)
  )

  it.effect("follows the log live", (test) =>
    Effect.gen(function* () {
      const base = yield* OperatorAddress
      const { page, complaints } = yield* opened(test, `${base}/logs`)
      yield* Effect.promise(() => page.getByRole("button", { name: "Follow live" }).click())
      yield* log("A line that came later")
      yield* Effect.promise(() => page.getByText("A line that came later").waitFor())
      assert.deepStrictEqual(complaints, [])
    })
  )
})
