import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { reader } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { call } from "../support/call.ts"
import { fullRecord } from "../support/full-record.ts"
import { serviceAddress, TestService } from "../support/service.ts"

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "query parameters and bodies",
  (it) => {
    const totalOf = (query: string) =>
      Effect.map(call("GET", `/api/meetings/browse?${query}`), (answer) => answer.json().total)

    it.effect("have lists under their plain name or with brackets, encoded or not", () =>
      Effect.gen(function* () {
        for (const name of ["type[]", "type%5B%5D", "type%5b%5d"]) {
          assert.strictEqual(yield* totalOf(`${name}=school_board`), 0, name)
          assert.strictEqual(yield* totalOf(`q=x[]&page=1&${name}=school_board&${name}=city_council&q=`), undefined)
          assert.strictEqual(yield* totalOf(`${name}=school_board&type=city_council`), 2, name)
        }
        for (const [query, bodies] of [
          ["follow_agency[]=springfield-council", 1],
          ["follow_agency[]=nobody", 0]
        ] as const) {
          const upcoming = (yield* call("GET", `/api/upcoming?${query}`)).json().bodies
          assert.lengthOf(upcoming as Array<unknown>, bodies)
        }
      })
    )

    it.effect("name states in capitals or not", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* totalOf("state=il"), 2)
        assert.strictEqual(yield* totalOf("state=tn&state=Il"), 2)
        assert.strictEqual(yield* totalOf("state=tn"), 0)
      })
    )

    it.effect("must not have unknown fields, and each is refused by name", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const messageOf = (method: string, path: string, body: unknown) =>
          Effect.map(call(method, path, credentials, body), (answer) => {
            assert.strictEqual(answer.status, 400, answer.text)
            return answer.json().message
          })
        for (const [method, path, body, message] of [
          ["PUT", "/api/me/email-prefs", { recap: "off" }, "recap is not a known field."],
          ["PUT", "/api/me/follows", { agencies: [], places: [], bodies: [] }, "bodies is not a known field."],
          ["PATCH", "/api/me/account", { name: 1 }, "name must be a string."],
          ["PATCH", "/api/me/account", { name: "x".repeat(121) }, "name must have at most 120 characters."],
          ["POST", "/api/me/account/email/start", { email: 1 }, "email must be a string."],
          ["POST", "/api/me/account/email/start", { email: "" }, "email must not be empty."],
          [
            "POST",
            "/api/me/account/email/start",
            { email: `${"x".repeat(260)}@a.org` },
            "email must have at most 254 characters."
          ],
          ["PUT", "/api/me/account/password", { password: "" }, "password must not be empty."],
          ["PUT", "/api/me/account/password", { password: 1 }, "password must be a string."],
          [
            "PUT",
            "/api/me/account/password",
            { password: "x".repeat(257) },
            "password must have at most 256 characters."
          ]
        ] as const) {
          assert.strictEqual(yield* messageOf(method, path, body), message)
        }
      })
    )

    it.effect("may have unknown parameters in a saved search, which are ignored", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const query = "utm_source=mail&type[]=school_board&q=greenway"
        const saved = yield* call("POST", "/api/me/saved-searches", credentials, { query })
        assert.strictEqual(saved.json().query, "q=greenway&type=school_board", saved.text)
      })
    )

    it.effect("are decoded only after authentication: nobody learns first what is wrong with a body", () =>
      Effect.gen(function* () {
        const address = `${yield* serviceAddress}/api/me/follows`
        const { credentials } = yield* reader()
        const bodies: ReadonlyArray<readonly [Record<string, string>, string, number]> = [
          [{ "content-type": "application/json" }, "x".repeat(70_000), 413],
          [{ "content-type": "text/plain" }, "{}", 415],
          [{}, "{}", 415],
          [{ "content-type": "application/json" }, "{", 400]
        ]
        for (const [headers, body, status] of bodies) {
          const put = (more: Record<string, string>) =>
            // A byte array has no content type of its own, so none is sent unless it is given.
            ask(address, { method: "PUT", headers: { ...headers, ...more }, body: new TextEncoder().encode(body) })
          const anonymous = yield* put({})
          assert.deepStrictEqual([anonymous.status, anonymous.json().error], [401, "sign_in_required"])
          assert.strictEqual((yield* put(credentials.headers)).status, status, String(status))
        }
      })
    )
  }
)
