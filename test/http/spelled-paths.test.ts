import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { posterKey, renditionKey, sourceKey } from "../../src/services/meetings/media-tier.ts"
import { reader } from "../support/actors.ts"
import { askRaw, rawRequest } from "../support/asked.ts"
import { meetingId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { recordedSpans } from "../support/recorded-spans.ts"
import { served } from "../support/served.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const id = meetingId("full")
const share = `/api/meetings/${id}/share`

/** The address of the operation that mints a grant, in other spellings. */
const spellings = [
  share,
  `${share}?x=1`,
  `/api/meetings/${id}/%73hare`,
  `/api/meetings/${id}/shar%65?x=1`,
  `/%61pi/meetings/${id}/share`,
  `/api/%6d%65etings/${id}/share`,
  `/api/meetings/%${id.charCodeAt(0).toString(16)}${id.slice(1)}/share`,
  `http://record.example.gov${share}`,
  `HTTP://record.example.gov/api/meetings/${id}/%73hare`,
  `http://record.example.gov/api/x/../meetings/${id}/share`,
  `/api/meetings/${id}/%2573hare`,
  `/%2561pi/meetings/${id}/share`,
  `/api/meetings/${id}%2Fshare`,
  `/api/meetings/${id}/Share`,
  `/API/meetings/${id}/share`,
  `/api/meetings/${id}/./share`,
  `/api/meetings/x/../${id}/share`,
  `/api/./meetings/${id}/share`,
  `/api/meetings/${id}/%2e/share`,
  `//api/meetings/${id}/share`,
  `/api//meetings/${id}/share`,
  `/api/meetings/${id}//share`,
  `${share}/`,
  `${share};x`,
  `${share}#x`,
  `${share}%00`,
  `/api/meetings/${id}/%73hare%3Fx`
]

const asked = Effect.fnUntraced(function* (line: string, headers: ReadonlyArray<string> = []) {
  const { port } = new URL(yield* serviceAddress)
  return yield* askRaw(Number(port), rawRequest(line, headers))
})

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "a path in another spelling",
  (it) => {
    it.effect("mints no grant for a page of another origin", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const { token } = yield* reader()
        const cookie = `Cookie: cr_session=${token}`
        const refused: Array<string> = []
        for (const method of ["GET", "HEAD"]) {
          for (const spelling of spellings) {
            for (const from of ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site"]) {
              const { status, text } = yield* asked(`${method} ${spelling}`, [cookie, from])
              assert.notInclude(text, '"token"', spelling)
              if (status === 403) refused.push(spelling)
            }
          }
        }
        // Every spelling that the router takes for the operation is refused like the usual one.
        assert.deepStrictEqual([...new Set(refused)], spellings.slice(0, 10))
        assert.deepStrictEqual(yield* db`select from share_grant`, [])
        for (const spelling of spellings.slice(0, 10)) {
          const { status } = yield* asked(`GET ${spelling}`, [cookie, "Sec-Fetch-Site: same-origin"])
          assert.strictEqual(status, 200, spelling)
        }
      })
    )

    it.effect("opens no media: a key has one spelling, and so has the path before it", () =>
      Effect.gen(function* () {
        const bare = ({ status, headers, text }: Effect.Success<ReturnType<typeof asked>>) => [
          status,
          [...headers].filter(([name]) => name !== "date" && name !== "x-request-id"),
          text
        ]
        const usual = yield* asked(`GET /api/media/${sourceKey(id, "mp4")}`, [])
        assert.deepStrictEqual([usual.status, usual.json().error], [403, "media_forbidden"])
        for (const key of [sourceKey(id, "mp4"), posterKey(id), renditionKey(id), "nothing/at/all"]) {
          for (const before of ["/%61pi/media/", "/api/%6dedia/", "/api/medi%61/"]) {
            const answer = yield* asked(`GET ${before}${key}?sig=forged`, [])
            assert.deepStrictEqual(bare(answer), bare(usual), before + key)
          }
        }
        assert.strictEqual((yield* asked(`GET /api/media/${posterKey(id)}`, [])).status, 200)
      })
    )
  }
)

describe("a query that was encoded into its path", () => {
  it.live("reveals its grant to no log and no trace", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recordedSpans()
      const { port, lines } = yield* served({ tracer })
      for (const target of [
        "%3Fst=hidden",
        "%3fst=hidden",
        "%253Fst=hidden",
        ";st=hidden",
        "#?st=hidden",
        "?a#&st=hidden"
      ]) {
        yield* askRaw(port, rawRequest(`GET /api/meetings/3f2b8c1e${target}`))
      }
      yield* askRaw(port, rawRequest("GET /api/meetings/3f2b8c1e?st=hidden&%73t=hidden"))
      assert.strictEqual(lines.length, 7)
      assert.notInclude(JSON.stringify(lines), "hidden")
      assert.isAbove(spans.length, 0)
      assert.notInclude(JSON.stringify(spans.map(({ name, attributes }) => [name, [...attributes]])), "hidden")
    })
  )
})
