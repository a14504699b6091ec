import * as fs from "node:fs"
import { assert } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Logger } from "effect"
import type { BrowserContextOptions, Page } from "playwright-core"
import type { TestContext } from "vitest"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { MeetingId } from "../../schema/primitives.ts"
import { PipelineLive } from "../../src/pipeline/pipeline.ts"
import { Digests } from "../../src/services/mail/digests.ts"
import { ask } from "./asked.ts"
import { operatedService } from "./console.ts"
import { freePort } from "./free-port.ts"
import { opened } from "./opened-page.ts"
import { realSlice } from "./real-slice.ts"
import { eventually, scratch, TestRenderer } from "./rendering.ts"
import { serviceAddress } from "./service.ts"
import { localIdentity } from "./sign-in-service.ts"
import { smtpServer } from "./smtp.ts"

/** Takes the next step of a journey. */
export type Step = <A>(what: string, act: () => Promise<A>) => Promise<A>

const table = fs.readFileSync("docs/journeys.md", "utf8")

/**
 * Counts the steps of somebody on the way to what they came for, until the scope closes: it must be as many as
 * docs/journeys.md says, and fails at the first beyond.
 */
export const journey = Effect.fnUntraced(function* (name: string) {
  const [, said] = new RegExp(`^\\| ${name} +\\| (\\d+) `, "m").exec(table) ?? []
  const most = Number(said ?? assert.fail(`docs/journeys.md has no ${name}`))
  const steps: Array<string> = []
  const taken = () => `${name} takes ${steps.length} steps, docs/journeys.md says ${most}: ${steps.join("; ")}`
  yield* Effect.addFinalizer((exit) =>
    Effect.sync(() => Exit.isSuccess(exit) && assert.strictEqual(steps.length, most, taken()))
  )
  const step: Step = (what, act) => {
    steps.push(what)
    assert.isAtMost(steps.length, most, taken())
    return act()
  }
  return step
})

/** The mailbox of all readers: a real SMTP server. */
class Post extends Context.Service<Post, Effect.Success<ReturnType<typeof smtpServer>>>()("test/Post") {
  static readonly layer = Layer.effect(Post, smtpServer())
}

/** Waits for a mail to an address whose text has this in it; its first group. */
export const mailed = (email: string, wanted: RegExp) =>
  Post.use(({ received }) =>
    eventually(
      Effect.sync(() =>
        received.flatMap((mail) => (mail.to.includes(email) ? [wanted.exec(mail.email.text ?? "")?.[1]] : [])).at(-1)
      )
    )
  )

/** Signs in at the local provider, whose first page is open: two steps. */
export const signIn = Effect.fnUntraced(function* (page: Page, step: Step, email: string) {
  yield* Effect.promise(() =>
    step("ask for a code", async () => {
      await page.getByLabel("E-mail address").fill(email)
      await page.getByRole("button", { name: "Send me a code" }).click()
      await page.getByLabel("Code", { exact: true }).waitFor()
    })
  )
  const code = yield* mailed(email, /^\s*(\d{6})\s*$/m)
  yield* Effect.promise(() =>
    step("type the code", async () => {
      await page.getByLabel("Code", { exact: true }).fill(code)
      await page.getByRole("button", { name: "Sign in", exact: true }).click()
      await page.getByRole("link", { name: "Account" }).first().waitFor()
    })
  )
})

/** A meeting of the slice by its body. */
export const meetingOf = Effect.fnUntraced(function* (body: string) {
  const answer = (yield* ask(`${yield* serviceAddress}/api/meetings/browse?agency_slug=${body}`)).json()
  const [{ id = "", path = "" } = {}] = Array.isArray(answer.meetings) ? answer.meetings : []
  return { id: MeetingId.make(id), path: String(path) }
})

/** An empty tab of somebody, who has signed in if there is a session. */
export const tab = Effect.fnUntraced(function* (test: TestContext, options: BrowserContextOptions, session?: string) {
  const base = yield* serviceAddress
  const { page } = yield* opened(test, "about:blank", {
    permissions: ["clipboard-read", "clipboard-write"],
    ...options
  })
  if (session !== undefined) {
    yield* Effect.promise(() => page.context().addCookies([{ name: "cr_session", value: session, url: base }]))
  }
  return page
})

/** Searches from home. */
export const searched = async (page: Page, words: string): Promise<void> => {
  await page.getByLabel("Search what was said, decided or planned").fill(words)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { level: 1, name: words }).waitFor()
}

const Worker = PipelineLive({
  jobs: 2,
  lanes: new Map([
    ["media", 1],
    ["web", 1]
  ])
}).pipe(
  Layer.provide([
    TestRenderer,
    Layer.effect(
      Environment,
      Effect.flatMap(scratch, (folder) => readEnvironment({ DATA_DIR: folder, ALLOW_PRIVATE_SOURCES: "1" }))
    )
  ]),
  Layer.provide(Logger.layer([]))
)

const Deployment = Layer.unwrap(
  Effect.gen(function* () {
    const post = yield* Post
    const port = yield* freePort
    return operatedService(
      {
        PORT: String(port),
        BASE_URL: `http://127.0.0.1:${port}`,
        SMTP_URL: `smtp://127.0.0.1:${post.port}`,
        ALLOW_PRIVATE_SOURCES: "1"
      },
      localIdentity
    )
  })
)

/** The service with real records, as on a laptop: mailed codes, mail over SMTP, a worker, and the console. */
export const JourneyService = Layer.effectDiscard(realSlice).pipe(
  Layer.provideMerge(Layer.mergeAll(Worker, TestRenderer, Digests.layer)),
  Layer.provideMerge(Deployment),
  Layer.provideMerge(Post.layer)
)
