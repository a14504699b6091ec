import { Effect, Layer, Redacted } from "effect"
import { Db } from "../../layers/db/db.ts"
import { fakeIdentity } from "../layers/fake-identity.ts"
import { reader } from "./actors.ts"
import { ask } from "./asked.ts"
import { databaseAt } from "./database.ts"
import { serviceAddress, serviceOf, TestSetup } from "./service.ts"

/**
 * What a reader is served of a meeting, by name: the answers of the API, and the page in both of its forms. Left out is
 * what is listed as removed: the claims, and their rows on the page.
 */
export const readersView = Effect.fnUntraced(function* (
  base: string,
  id: string,
  headers: Readonly<Record<string, string>>
) {
  const textOf = (address: string, accept = "application/json") =>
    Effect.map(ask(address, { headers: { ...headers, accept } }), ({ text }) => text)
  const meeting = yield* ask(`${base}/api/meetings/${id}`, { headers })
  const page = `${base}${meeting.json().path}`
  const answers = yield* Effect.all({
    transcript: textOf(`${base}/api/meetings/${id}/transcript`),
    newsletter: textOf(`${base}/api/meetings/${id}/newsletter`),
    recap: textOf(`${base}/api/meetings/${id}/recap`),
    graphics: textOf(`${base}/api/meetings/${id}/graphics`),
    summary: textOf(`${base}/api/meetings/${id}/agenda-summary`),
    clips: textOf(`${base}/api/meetings/${id}/clips`),
    html: Effect.map(textOf(page, "text/html"), (text) => text.replace(/<tr><td><del>.*?<\/tr>/gs, "")),
    markdown: Effect.map(textOf(page, "text/markdown"), (text) => text.replace(/^\|.*, removed \|.*$/gm, ""))
  })
  return { meeting: meeting.text, ...answers }
})
export type ReadersView = Effect.Success<ReturnType<typeof readersView>>

/** What a reader would be served of the only meeting of a database, by a service of its own. */
export const viewOfDatabase = (url: string) =>
  Effect.gen(function* () {
    const db = yield* Db
    const [meeting] = yield* db<{ id: string }>`select id from meeting`
    const { credentials } = yield* reader()
    return yield* readersView(yield* serviceAddress, meeting?.id ?? "", credentials.headers)
  }).pipe(
    Effect.provide(
      Layer.fresh(serviceOf(TestSetup, fakeIdentity, undefined, undefined, databaseAt(Redacted.make(url))))
    ),
    Effect.scoped,
    Effect.orDie
  )
