import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { reader } from "../support/actors.ts"
import { BrowserActor } from "../support/browser-actor.ts"
import { call } from "../support/call.ts"
import type { Person } from "../support/hosted-provider.ts"
import { newestCode } from "../support/outbox.ts"
import { outbox } from "../support/service.ts"
import { signInService } from "../support/sign-in-service.ts"
import { accountOn, signInAt, signInLocally, startUrl } from "../support/signing-in.ts"

const victim = "siffkå@siffkå.example"

/** Letters that Unicode considers another case, or another form, of letters in the victim's address. */
const lookAlikes = [
  ["i", "İ"],
  ["i", "ı"],
  ["s", "ſ"],
  ["k", "\u212a"],
  ["å", "\u212b"],
  ["å", "a\u030a"],
  ["ff", "ﬀ"]
] as const
const [local = "", domain = ""] = victim.split("@")
const inLocal = lookAlikes.map(([letter, other]) => `${local.replace(letter, other)}@${domain}`)
const inDomain = lookAlikes.map(([letter, other]) => `${local}@${domain.replace(letter, other)}`)

/** Signs in at the local provider as far as it allows: the account, or undefined if the address is refused. */
const signInAs = Effect.fnUntraced(function* (email: string) {
  const url = yield* startUrl("local", "/api/auth/session")
  const folder = yield* outbox
  return yield* Effect.promise(async () => {
    const browser = new BrowserActor()
    const first = await browser.open(url)
    const second = await browser.submit(first, "Send me a code", { email })
    if (second.status === 422) return undefined
    return accountOn(await browser.submit(second, "Sign in", { code: await newestCode(folder, email) }))
  })
})

const hosted: Person = {}

layer(signInService(hosted, {}), { excludeTestServices: true })("an address that looks like another's", (it) => {
  it.effect("opens an account of its own at the local provider, or none", () =>
    Effect.gen(function* () {
      const own = yield* signInAs(victim)
      assert.strictEqual(own?.email, victim)
      const opened = new Map<string, string>()
      for (const email of [...inLocal, ...inDomain]) {
        const account = yield* signInAs(email)
        if (account === undefined) continue
        assert.notStrictEqual(account.id, own?.id, email)
        assert.strictEqual(account.email, email, "as it was given")
        opened.set(email, account.id)
      }
      assert.deepStrictEqual([...opened.keys()], [...inLocal, inDomain[1]])
      assert.strictEqual(new Set(opened.values()).size, opened.size)
      assert.strictEqual((yield* signInAs(victim))?.id, own?.id)
    })
  )

  it.effect("opens no account of another at a hosted provider, whoever came first", () =>
    Effect.gen(function* () {
      for (const [at, name] of ["vİctim@example.org", "as\u212a@example.org", "me@gmaİl.com"].entries()) {
        const usual = name.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "")
        const arrive = (email: string) =>
          Effect.gen(function* () {
            Object.assign(hosted, { sub: `subject of ${email}`, email, email_verified: true })
            const page = yield* signInAt("city_hall", new BrowserActor())
            return page.status === 200 ? accountOn(page)?.id : undefined
          })
        const [first, second] = at % 2 === 0 ? [name, usual] : [usual, name]
        assert.notStrictEqual(yield* arrive(first), yield* arrive(second), name)
      }
    })
  )

  it.effect("may become the address of another account, and leaves the first account where it is", () =>
    Effect.gen(function* () {
      const usual = yield* reader("kim@example.org")
      const other = yield* reader("mover@example.org")
      const lookAlike = "\u212aim@example.org"
      const begun = yield* call("POST", "/api/me/account/email/start", other.credentials, { email: lookAlike })
      assert.strictEqual(begun.status, 202)
      const folder = yield* outbox
      const code = yield* Effect.promise(() => newestCode(folder, lookAlike))
      const body = { email: lookAlike, code }
      const done = yield* call("POST", "/api/me/account/email/confirm", other.credentials, body)
      assert.deepInclude(done.json(), { id: other.accountId, email: lookAlike })
      assert.strictEqual(accountOn(yield* signInLocally(new BrowserActor(), "kim@example.org"))?.id, usual.accountId)
      assert.strictEqual(accountOn(yield* signInLocally(new BrowserActor(), lookAlike))?.id, other.accountId)
    })
  )
})

layer(signInService({}, {}), { excludeTestServices: true })("an address in capital letters", (it) => {
  it.effect("is the same mailbox, and mail goes to it as it was typed", () =>
    Effect.gen(function* () {
      const first = accountOn(yield* signInLocally(new BrowserActor(), "Ada@Example.org"))
      assert.strictEqual(first?.email, "Ada@Example.org")
      const again = accountOn(yield* signInLocally(new BrowserActor(), "ada@example.org"))
      assert.deepStrictEqual([again?.id, again?.email], [first?.id, "Ada@Example.org"])
    })
  )
})
