import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { OperatorAddress } from "../../src/http/operator/server.ts"
import { Digests } from "../../src/services/mail/digests.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { reader } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { putOnRecord } from "../support/builders.ts"
import { cityServer, says } from "../support/city-server.ts"
import { JourneyService, journey, mailed, meetingOf, searched, signIn, tab } from "../support/journey.ts"
import { connected } from "../support/mcp-client.ts"
import { opened, shown } from "../support/opened-page.ts"
import { putRecording } from "../support/put-recording.ts"
import { realArchivesAreThere } from "../support/real-archives.ts"
import { newYorkEvents } from "../support/real-events.ts"
import { eventually } from "../support/rendering.ts"
import { copied, select } from "../support/selecting.ts"
import { serviceAddress } from "../support/service.ts"

const withoutScripts = { javaScriptEnabled: false }

const onRealRecords = layer(JourneyService, { excludeTestServices: true, timeout: 240_000 })
const name = "a journey on real records"

if (!realArchivesAreThere)
  describe(name, () => void it("is not in ../shared/data", ({ skip }) => skip("it is not there")))
else
  onRealRecords(name, (it) => {
    it.effect(
      "hears a topic: from home to its words, with their sentence on the way, and through a first sign-in",
      (test) =>
        Effect.gen(function* () {
          const base = yield* serviceAddress
          const { token } = yield* reader("hears@example.org")
          const scripted = yield* tab(test, {}, token)
          const plain = yield* tab(test, withoutScripts, token)
          const first = yield* tab(test, withoutScripts)
          for (const page of [scripted, plain]) {
            const step = yield* journey("Hear a topic")
            yield* Effect.promise(async () => {
              await step("open home", () => page.goto(base))
              await step("search", () => searched(page, "affordable housing"))
              // The sentence is read here already, with its words marked.
              const sentence = page.locator(".matches li", {
                hasText: "balance the desire to build affordable housing"
              })
              assert.strictEqual(await sentence.locator("mark").first().innerText(), "affordable")
              await step("choose the moment", async () => {
                await sentence.getByRole("link").click()
                await page.locator("#said").waitFor()
              })
              assert.include(await page.locator("#said").innerText(), "affordable housing")
              assert.strictEqual(await page.locator("#within").inputValue(), "affordable housing")
            })
          }
          yield* Effect.promise(async () => {
            assert.isAbove(await plain.locator("#said mark").count(), 0)
            assert.isTrue(await scripted.evaluate("CSS.highlights.has('found') && CSS.highlights.has('here')"))
            const count = scripted.locator("[data-count]")
            const before = await count.innerText()
            await scripted.getByRole("button", { name: "Next" }).click()
            assert.notStrictEqual(await count.innerText(), before)
            assert.match(await count.innerText(), /^\d+ of \d+$/)
          })

          const step = yield* journey("Hear a topic on a first visit")
          yield* Effect.promise(async () => {
            await step("open home", () => first.goto(base))
            await step("search", () => searched(first, "affordable housing"))
            await step("choose the moment", () => first.locator(".matches a.moment").first().click())
            await step("sign in", () => first.getByRole("link", { name: "Sign in with an e-mail address" }).click())
          })
          yield* signIn(first, step, "first@example.org")
          yield* Effect.promise(async () => {
            // Back at the moment, with its words.
            assert.include(await first.locator("#said").innerText(), "affordable housing")
            assert.isAbove(await first.locator("#said mark").count(), 0)
          })
        })
    )

    it.effect("follows a body, and opens the meeting from the mail", (test) =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const db = yield* Db
        for (const [body, path, options] of [
          ["knoxville-city-council", "/in/knoxville/city-council", {}],
          ["seattle-city-council", "/in/seattle/city-council", withoutScripts]
        ] as const) {
          const email = `${body}@example.org`
          const meeting = yield* meetingOf(body)
          const page = yield* tab(test, options)
          const step = yield* journey("Follow and get mail")
          yield* Effect.promise(async () => {
            await step("open the body", () => page.goto(base + path))
            await step("sign in to follow", () => page.getByRole("link", { name: "Sign in to follow" }).click())
          })
          yield* signIn(page, step, email)
          yield* Effect.promise(async () => {
            // The recap after each meeting is chosen already, as the page promised.
            assert.strictEqual(await page.getByLabel("Mail about all that you follow").inputValue(), "each")
            await step("follow", () => page.getByRole("button", { name: "Follow", exact: true }).click())
            await page.getByText("A recap is mailed to you after each meeting.").waitFor()
          })
          const headline = `What ${body} heard`
          yield* putOnRecord({
            ...{ type: "recap", meeting_id: meeting.id, headline, summary: "The public was heard.", decisions: [] }
          })
          yield* db`update meeting set updated_at = now() - interval '2 minutes' where id = ${meeting.id}`
          yield* Digests.use(({ plan, deliver }) => Effect.andThen(plan, deliver))
          const link = yield* mailed(email, new RegExp(`(${base}${meeting.path}\\S*)`))
          yield* Effect.promise(async () => {
            await step("follow the link of the mail", () => page.goto(link))
            await page.getByRole("heading", { level: 1, name: headline }).waitFor()
            assert.isAbove(await page.locator(".turn").count(), 10)
          })
        }
      })
    )

    it.effect("clips to a friend, who has no account", (test) =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { id, path } = yield* meetingOf("seattle-city-council")
        yield* putRecording(id, 100)
        const { token } = yield* reader("clips@example.org")
        const page = yield* tab(test, {}, token)
        const friend = yield* tab(test, withoutScripts)
        const step = yield* journey("Clip to a friend")
        yield* Effect.promise(async () => {
          // The times of the words are slow to come: later than the button is pressed.
          let pressed = (): void => undefined
          const isPressed = new Promise<void>((resolve) => {
            pressed = resolve
          })
          await page.route(/\/transcript$/, (route) => isPressed.then(() => route.continue()))
          await step("open the moment", () => shown(page, `${base}${path}?t=50&q=affordable+housing`))
          await step("select words", () => select(page, "briefing and public hearing"))
          await step("clip", () =>
            page.getByRole("toolbar", { name: "Selected words" }).getByRole("button", { name: "Clip" }).click()
          )
          pressed()
          await page.getByText("0:56 to 0:57, 1.0 sec").waitFor()
          await step("make it", () => page.getByRole("button", { name: "Make the clip" }).click())
          const copyLink = page.getByRole("button", { name: /^Copy link of/ })
          await copyLink.waitFor()
          await step("copy its link", () => copyLink.click())
          await page.getByText(/^Copied the link of/).waitFor()
          const link = await copied(page)
          await step("the friend opens it", () => friend.goto(link))
          assert.match(await friend.title(), /briefing and public hearing.*Seattle City Council, August 12, 2020/i)
          assert.include(await friend.getByRole("heading", { level: 1 }).innerText(), "briefing")
          assert.strictEqual(await friend.locator("video track[kind=captions]").count(), 1)
          assert.include(await friend.locator("main").innerText(), "What is said")
        })
      })
    )

    it.effect("cites a sentence with its moment", (test) =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const { path } = yield* meetingOf("knoxville-city-council")
        const { token } = yield* reader("cites@example.org")
        const page = yield* tab(test, {}, token)
        const plain = yield* tab(test, withoutScripts, token)
        const words = "it had the most population"
        const step = yield* journey("Cite a sentence")
        const bare = yield* journey("Cite a sentence without scripts")
        yield* Effect.promise(async () => {
          await step("open the moment", () => shown(page, `${base}${path}?t=396`))
          await step("select words", () => select(page, words))
          const bar = page.getByRole("toolbar", { name: "Selected words" })
          await step("cite", () => bar.getByRole("button", { name: "Cite" }).click())
          await step("choose a style", () => bar.getByRole("button", { name: "APA" }).click())
          await bar.getByText("Copied the citation (APA).").waitFor()
          const citation = await copied(page)
          for (const part of ["Knoxville City Council", "2011, April 19", words]) assert.include(citation, part)
          const [link = ""] = /http\S+/.exec(citation) ?? []
          await page.goto(link)
          assert.include(await page.locator("#said").innerText(), words)

          await bare("open the moment", () => plain.goto(`${base}${path}?t=396`))
          await bare("go to the citations", () =>
            plain.getByRole("link", { name: "Skip the transcript" }).press("Enter")
          )
          assert.include(await plain.locator("#cite").innerText(), `${path}?t=396`)
        })
      })
    )

    it.effect("adds the calendar of a place, and one with filters", (test) =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const page = yield* tab(test, {})
        const plain = yield* tab(test, withoutScripts)
        const step = yield* journey("Add the calendar of a place")
        const bare = yield* journey("Add a calendar with filters")
        const links = yield* Effect.promise(async () => {
          await step("open the place", () => page.goto(`${base}/in/new-york`))
          await step("copy its address", () => page.getByRole("button", { name: "Copy its address" }).click())
          await page.getByText("Copied the address.").waitFor()

          await bare("open what is coming up", () => plain.goto(`${base}/upcoming`))
          await bare("choose the place", () =>
            plain
              .getByRole("navigation", { name: "Meetings of one place" })
              .getByRole("link", { name: "New York" })
              .click()
          )
          const added = await bare("add it", () =>
            plain.getByRole("link", { name: "Calendar app" }).getAttribute("href")
          )
          assert.match(added ?? "", /^webcal:/)
          return [await copied(page), (added ?? "").replace(/^webcal:/, "http:")]
        })
        assert.deepStrictEqual(links, [`${base}/in/new-york.ics`, `${base}/upcoming.ics?place_slug=new-york`])
        for (const link of links) {
          const { text } = yield* ask(link)
          const events = text.replaceAll("\r\n ", "").split("BEGIN:VEVENT").slice(1)
          assert.strictEqual(events.length, 1, link)
          assert.include(events[0], "Committee on Civil and Human Rights")
        }
      })
    )

    it.effect("leads an agent from /llms.txt to a vote, and over MCP", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const markdown = (path: string) =>
          Effect.map(ask(base + path, { headers: { accept: "text/markdown" } }), ({ text }) => text)
        const link = (text: string, wanted: RegExp): string => {
          const [, found = ""] = wanted.exec(text) ?? []
          assert.notStrictEqual(found, "", `${wanted} in ${text}`)
          return new URL(found, base).pathname + new URL(found, base).search
        }
        const step = yield* journey("From llms.txt to a vote")
        const read = (path: string) => Effect.promise(() => step(path, () => Effect.runPromise(markdown(path))))
        const search = link(yield* read("/llms.txt"), /`(\S*\/md\/browse\?q=)\{words\}`/)
        const found = yield* read(`${search}climate+emergency`)
        const meeting = yield* read(link(found, /\]\((\S*\/in\/new-york\/\S+\/2019-06-26-\w+)[^)]*\)/))
        assert.include(meeting, "Passed **6–0** Approved by Committee")
        assert.match(meeting, /Yes \(6\):\*?\*? \[Costa G\. Constantinides\]\(\S+\) · \[Rafael L\. Espinal, Jr\.\]/)

        const calls = yield* journey("From the MCP server to a vote")
        const client = yield* connected()
        const call = (name: string, args: Record<string, unknown>) =>
          Effect.promise(async () => {
            const { structuredContent } = await calls(name, () => client.callTool({ name, arguments: args }))
            return JSON.stringify(structuredContent)
          })
        const slug = "new-york-res-0864-2019"
        assert.include(yield* call("find_matters", { q: "climate emergency" }), `"slug":"${slug}"`)
        const [, held = ""] = /"meeting":\{"id":"([^"]+)"/.exec(yield* call("get_matter", { slug })) ?? []
        assert.include(yield* call("list_votes", { meeting: held }), "Costa G. Constantinides")
      })
    )

    it.effect("settles an operator's failed source where it is reported", (test) =>
      Effect.gen(function* () {
        const address = yield* OperatorAddress
        const sources = yield* Sources
        const db = yield* Db
        const city = yield* cityServer()
        const { event } = yield* newYorkEvents
        const events = [event(18799, [5100, "Committee on Women and Gender Equity"], 9)]
        for (const options of [{}, withoutScripts]) {
          const path = `/v1/${options === withoutScripts ? "nyc2" : "nyc"}/events`
          const url = city.url + path
          const id = yield* sources.add({ kind: "legistar", url, place: "new-york", everySeconds: 86_400 })
          yield* sources.crawl(id)
          const ended = (outcome: string) =>
            eventually(Effect.map(db`select from source where id = ${id} and outcome = ${outcome}`, ([row]) => row))
          yield* ended("failed")
          city.answers.set(path, says(JSON.stringify(events)))
          const { page } = yield* opened(test, "about:blank", options)
          const step = yield* journey("Settle a failed source")
          const issue = page.locator(".issue", { hasText: url })
          yield* Effect.promise(async () => {
            await step("open the console", () => page.goto(address))
            assert.include(await issue.innerText(), "404")
            await step("crawl it", () => issue.getByRole("button", { name: /^Crawl now/ }).click())
            await page.getByRole("status").first().waitFor()
          })
          yield* ended("ok")
          yield* Effect.promise(async () => {
            await page.reload()
            assert.strictEqual(await issue.count(), 0)
          })
        }
      })
    )
  })
