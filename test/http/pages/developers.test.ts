import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { classOf } from "../../../src/api/errors/classes.ts"
import { putSample } from "../../../src/record/sample/sample-record.ts"
import { reader } from "../../support/actors.ts"
import { ask, begin } from "../../support/asked.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

const record = "http://record.example.gov"

/** A command on the page as the request that a shell would send, directed to the service under test. */
const requestOf = (command: string, base: string, session: string) => {
  const quoted = [...command.matchAll(/(-H )?"([^"]*)"/g)].map(([, header, text = ""]) => ({
    isHeader: header !== undefined,
    text: text.replace("$CR_SESSION", session)
  }))
  const headers = new Headers()
  for (const { isHeader, text } of quoted) {
    const colon = text.indexOf(": ")
    if (isHeader) headers.set(text.slice(0, colon), text.slice(colon + 2))
  }
  const url = quoted.find(({ isHeader }) => !isHeader)?.text ?? ""
  return { url: url.replace(record, base), headers }
}

layer(TestService)("the page for developers", (it) => {
  it.effect("shows requests that work when they are pasted", () =>
    Effect.gen(function* () {
      yield* putSample
      const base = yield* serviceAddress
      const { token } = yield* reader()
      const page = (yield* ask(`${base}/md/developers`)).text
      const commands = [...page.matchAll(/^```\n(curl .*)\n```$/gm)].map(([, command]) => command ?? "")
      const types: Array<string> = []
      for (const command of commands) {
        const { url, headers } = requestOf(command, base, token)
        const answer = yield* (command.includes("-N") ? begin : ask)(url, { headers })
        assert.strictEqual(answer.status, 200, command)
        types.push(answer.headers.get("content-type")?.split(";")[0] ?? "")
      }
      assert.deepStrictEqual(types, [
        "application/json",
        "application/json",
        "text/vtt",
        "text/event-stream",
        "application/json",
        "text/markdown",
        "text/markdown"
      ])
    })
  )

  it.effect("names the entry points for assistants and for sites that show a clip", () =>
    Effect.gen(function* () {
      const page = (yield* ask(`${yield* serviceAddress}/md/developers`)).text
      for (const path of ["/mcp", "/oembed?url="]) assert.include(page, `\`${path}\``)
    })
  )

  it.effect("lists every error with its status", () =>
    Effect.gen(function* () {
      const page = (yield* ask(`${yield* serviceAddress}/md/developers`)).text
      for (const code of Object.keys(classOf))
        assert.match(page, new RegExp(`^\\| [45]\\d\\d \\| \`${code}\` \\| \\w`, "m"))
    })
  )
})
