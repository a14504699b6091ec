import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { mostFollowed } from "../../../schema/account.ts"
import { putSample } from "../../../src/record/sample/sample-record.ts"
import { EmailPrefs } from "../../../src/services/accounts/email-prefs.ts"
import { Follows } from "../../../src/services/accounts/follows.ts"
import { SavedSearches } from "../../../src/services/accounts/saved-searches.ts"
import { UserClips } from "../../../src/services/clips/user-clips.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { fieldValue, followed, opened, posted } from "../../support/account-forms.ts"
import { type Credentials, keptSearch, reader, readyClip } from "../../support/actors.ts"
import { call } from "../../support/call.ts"
import { calling } from "../../support/mcp-client.ts"
import { newestCode } from "../../support/outbox.ts"
import { outbox, TestService } from "../../support/service.ts"

const account = (credentials: Credentials) =>
  Effect.map(call("GET", "/api/me/account", credentials), (one) => one.json())

/** A session that began longer ago than the ten minutes for which a sign-in counts as proof. */
const agedSession = Effect.fnUntraced(function* (email: string) {
  const one = yield* reader(email)
  yield* (yield* Db)`update session set created_at = '1960-01-01Z' where account_id = ${one.accountId}`
  return one
})

/** Every form of the account, with valid values and the page on which it appears. */
const forms = [
  ["/account/name", "/account/name", { name: "Zoë" }],
  ["/account/phone", "/account/phone", { phone: "+12175550123" }],
  ["/account/phone/remove", "/account/phone", {}],
  ["/account/email", "/account/email", { email: "elsewhere@example.org" }],
  ["/account/email/code", "/account/email/code", { email: "elsewhere@example.org", code: "123456" }],
  ["/account/password", "/account/password", { password: "four unrelated words in a row" }],
  ["/account/follows", "/account/follows", { do: "follow", place: "larkmoor" }],
  ["/account/calendar", "/account/calendar", {}],
  ["/account/calendar/remove", "/account/calendar", {}],
  ["/account/tokens", "/account/tokens", { token_name: "Assistant" }],
  ["/account/tokens/one/revoke", "/account/tokens", {}],
  ["/account/sessions/one/end", "/account/sessions", {}],
  ["/account/mail", "/account/mail", { recaps: "daily", saved_searches: "off" }],
  ["/account/searches", "/account/searches", { query: "q=water" }],
  ["/account/searches/one", "/account/searches/one", { name: "Water" }],
  ["/account/searches/one/remove", "/account/searches", {}],
  ["/account/clips/one/remove", "/account/clips", {}],
  ["/account/delete", "/account/delete", { email: "guarded@example.org" }]
] as const

layer(TestService)("the forms of an account", (it) => {
  it.effect("send everyone who is not signed in to sign in, and back to the form's page", () =>
    Effect.gen(function* () {
      for (const [action, page, fields] of forms) {
        const answer = yield* posted(action, { headers: {} }, fields)
        assert.strictEqual(answer.status, 303, action)
        assert.strictEqual(answer.headers.get("location"), `/signin?return_to=${encodeURIComponent(page)}`, action)
        const get = yield* opened(page, { headers: {} })
        assert.strictEqual(get.headers.get("location"), `/signin?return_to=${encodeURIComponent(page)}`, page)
      }
    })
  )

  it.effect("are refused to a page on another origin, and change nothing", () =>
    Effect.gen(function* () {
      yield* putSample
      const { credentials } = yield* reader("guarded@example.org")
      const before = yield* account(credentials)
      for (const [action, , fields] of forms) {
        for (const origin of ["https://elsewhere.example", "null"]) {
          const answer = yield* posted(action, credentials, fields, origin)
          assert.strictEqual(answer.status, 403, `${action} from ${origin}`)
        }
      }
      assert.deepStrictEqual(yield* account(credentials), before)
    })
  )

  it.effect("change the name, say so once, and keep an invalid entry in the field", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader("named@example.org")
      const done = yield* followed(yield* posted("/account/name", credentials, { name: " Zoë <Vale> " }), credentials)
      assert.strictEqual(done.to, "/account/name")
      assert.include(done.page.text, "Your name was changed.")
      assert.match(done.page.headers.get("set-cookie") ?? "", /cr_done=;/)
      assert.strictEqual(done.page.headers.get("cache-control"), "private, no-store")
      assert.notInclude((yield* opened("/account/name", credentials)).text, "Your name was changed.")
      assert.strictEqual((yield* account(credentials)).name, "Zoë <Vale>")
      const wrong = yield* posted("/account/name", credentials, { name: `${"x".repeat(121)}"` })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, '<a href="#name">Enter a name of one line')
      assert.include(wrong.text, 'aria-invalid="true" aria-describedby="name-hint name-wrong"')
      assert.strictEqual(fieldValue(wrong.text, "name"), `${"x".repeat(121)}&quot;`)
      assert.include(wrong.text, "<title>Error: Name")
    })
  )

  it.effect("create a calendar address that is shown once and works, replace it, and remove it", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader("calendar@example.org")
      const made = Effect.gen(function* () {
        const answer = yield* posted("/account/calendar", credentials, {})
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
        return /\/calendar\/[\w-]{43}\.ics/.exec(answer.text)?.[0] ?? assert.fail("no address was shown")
      })
      const first = yield* made
      assert.strictEqual((yield* call("GET", first)).status, 200)
      assert.notInclude((yield* opened("/account/calendar", credentials)).text, first)
      const second = yield* made
      assert.strictEqual((yield* call("GET", first)).status, 404)
      assert.strictEqual((yield* call("GET", second)).status, 200)
      const gone = yield* followed(yield* posted("/account/calendar/remove", credentials, {}), credentials)
      assert.include(gone.page.text, "no longer answers")
      assert.strictEqual((yield* call("GET", second)).status, 404)
      assert.strictEqual((yield* posted("/account/calendar/remove", credentials, {})).status, 404)
    })
  )

  it.effect("make a token that is shown once and reads meetings, and revoke it", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader("programs@example.org")
      const make = (token_name: string) => posted("/account/tokens", credentials, { token_name })
      const answer = yield* make(" <i>Assistant</i> ")
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("cache-control"), "private, no-store")
      const token = /cr_reader_[\w-]{43}/.exec(answer.text)?.[0] ?? assert.fail("no token was shown")
      const { meetings } = yield* Browse.use((browse) => browse.search({ page_size: 1 }))
      const read = Effect.map(
        calling("read_meeting", { id: meetings[0]?.id }, { "x-civic-record-token": token }),
        ({ told }) => told
      )
      assert.isFalse((yield* read).gated)

      const list = (yield* opened("/account/tokens", credentials)).text
      assert.notInclude(list, token)
      assert.include(list, "&lt;i&gt;Assistant&lt;/i&gt;")
      assert.match(list, /last used on/)
      const [, revoke = ""] = /action="(\/account\/tokens\/[^"]+\/revoke)"/.exec(list) ?? []
      const stranger = yield* reader("stranger@example.org")
      assert.strictEqual((yield* posted(revoke, stranger.credentials, {})).status, 404)
      assert.isFalse((yield* read).gated)
      const gone = yield* followed(yield* posted(revoke, credentials, {}), credentials)
      assert.include(gone.page.text, "The token was revoked.")
      assert.strictEqual((yield* read).error, "sign_in_required")
      assert.strictEqual((yield* posted(revoke, credentials, {})).status, 404)
    })
  )

  it.effect("refuse a token without a fit name, a name twice, and an eleventh token", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader("collector@example.org")
      const make = (token_name: string) => posted("/account/tokens", credentials, { token_name })
      for (const bad of ["", "  ", "x".repeat(61), "two\nlines", "over\u202eride"]) {
        const refused = yield* make(bad)
        assert.strictEqual(refused.status, 400, JSON.stringify(bad))
        assert.include(refused.text, '<a href="#token_name">Enter a name of one line')
      }
      for (let at = 0; at < 9; at++) assert.strictEqual((yield* make(`Program ${at}`)).status, 200)
      const twice = yield* make("Program 0")
      assert.strictEqual(twice.status, 400)
      assert.include(twice.text, '<a href="#token_name">Another of your tokens has this name.')
      // Of two at once, one is the tenth.
      const last = yield* Effect.all([make("Program 9"), make("Program 10")], { concurrency: 2 })
      assert.deepStrictEqual(last.map(({ status }) => status).toSorted(), [200, 400])
      assert.notInclude((yield* opened("/account/tokens", credentials)).text, "Make a token")
      const [revoke = ""] =
        /\/account\/tokens\/[^"]+\/revoke/.exec((yield* opened("/account/tokens", credentials)).text) ?? []
      yield* posted(revoke, credentials, {})
      assert.strictEqual((yield* make("Program 11")).status, 200)
    })
  )

  it.effect("save a phone number as people write it, and remove it", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader("phone@example.org")
      const wrong = yield* posted("/account/phone", credentials, { phone: "217 555" })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, 'href="#phone"')
      assert.strictEqual(fieldValue(wrong.text, "phone"), "217 555")
      yield* posted("/account/phone", credentials, { phone: "+1 (217) 555-0123" })
      assert.strictEqual((yield* account(credentials)).phone, "+12175550123")
      assert.strictEqual((yield* posted("/account/phone/remove", credentials, {})).status, 303)
      assert.notProperty(yield* account(credentials), "phone")
      assert.strictEqual((yield* posted("/account/phone/remove", credentials, {})).status, 404)
    })
  )

  it.effect("change the e-mail address in two steps", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader("old@example.org")
      const none = yield* opened("/account/email/code", credentials)
      assert.include(none.text, "No change is waiting for a code.")
      const wrong = yield* posted("/account/email", credentials, { email: "nobody" })
      assert.strictEqual(wrong.status, 400)
      assert.strictEqual(fieldValue(wrong.text, "email"), "nobody")
      const begun = yield* followed(
        yield* posted("/account/email", credentials, { email: " new@example.org " }),
        credentials
      )
      assert.strictEqual(begun.to, "/account/email/code")
      assert.strictEqual(fieldValue(begun.page.text, "email"), "new@example.org")
      const folder = yield* outbox
      const code = yield* Effect.promise(() => newestCode(folder, "new@example.org"))
      const other = String((Number(code) + 1) % 1_000_000).padStart(6, "0")
      const refused = yield* posted("/account/email/code", credentials, { email: "new@example.org", code: other })
      assert.strictEqual(refused.status, 422)
      assert.strictEqual(fieldValue(refused.text, "code"), other)
      const done = yield* posted("/account/email/code", credentials, { email: "new@example.org", code: ` ${code} ` })
      assert.strictEqual(done.headers.get("location"), "/account/email")
      assert.strictEqual((yield* account(credentials)).email, "new@example.org")
    })
  )

  it.effect("require a new sign-in or the password if the sign-in is old", () =>
    Effect.gen(function* () {
      const { accountId, credentials } = yield* agedSession("aged@example.org")
      const db = yield* Db
      const password = "four unrelated words in a row"
      for (const path of ["/account/email", "/account/delete", "/account/password"]) {
        const page = yield* opened(path, credentials)
        assert.include(page.text, `href="/signin?return_to=${encodeURIComponent(path)}"`)
        assert.notInclude(page.text, `action="${path}"`)
        const sent = yield* posted(path, credentials, { email: "aged@example.org", password })
        assert.strictEqual(sent.status, 401, path)
      }
      yield* db`update session set created_at = expires_at - interval '30 days' where account_id = ${accountId}`
      assert.strictEqual((yield* posted("/account/password", credentials, { password })).status, 303)
      yield* db`update session set created_at = '1960-01-01Z' where account_id = ${accountId}`
      assert.include((yield* opened("/account/delete", credentials)).text, 'name="current_password"')
      const wrong = yield* posted("/account/delete", credentials, {
        email: "aged@example.org",
        current_password: "not this one"
      })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, 'href="#current_password"')
      assert.notInclude(wrong.text, "not this one")
      assert.strictEqual(fieldValue(wrong.text, "email"), "aged@example.org")
      const begun = yield* posted("/account/email", credentials, {
        email: "young@example.org",
        current_password: password
      })
      assert.strictEqual(begun.headers.get("location"), "/account/email/code")
    })
  )

  it.effect("set a password, and never send one back", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader("secret@example.org")
      const weak = yield* posted("/account/password", credentials, { password: "password1" })
      assert.strictEqual(weak.status, 422)
      assert.include(weak.text, 'href="#password"')
      assert.notInclude(weak.text, "password1")
      const first = "four unrelated words in a row"
      assert.strictEqual((yield* posted("/account/password", credentials, { password: first })).status, 303)
      const missing = yield* posted("/account/password", credentials, {
        password: `${first} more`,
        current_password: ""
      })
      assert.strictEqual(missing.status, 422)
      assert.include(missing.text, 'href="#current_password"')
      const changed = yield* posted("/account/password", credentials, {
        password: `${first} more`,
        current_password: first
      })
      assert.strictEqual(changed.status, 303)
    })
  )

  it.effect("choose which mail is sent", () =>
    Effect.gen(function* () {
      const { accountId, credentials } = yield* reader("mailed@example.org")
      const wrong = yield* posted("/account/mail", credentials, { recaps: "hourly", saved_searches: "off" })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, 'href="#recaps"')
      yield* posted("/account/mail", credentials, { recaps: "weekly", saved_searches: "off" })
      assert.deepStrictEqual(yield* EmailPrefs.use((prefs) => prefs.get(accountId)), {
        recaps: "weekly",
        saved_searches: "off"
      })
      assert.match((yield* opened("/account/mail", credentials)).text, /name="recaps" value="weekly" checked/)
    })
  )

  it.effect("follow and unfollow from the page of a place or a body, without affecting the others", () =>
    Effect.gen(function* () {
      yield* putSample
      const { accountId, credentials } = yield* reader("follower@example.org")
      const path = "/in/larkmoor/city-council"
      assert.include((yield* opened(path, { headers: {} })).text, `/signin?return_to=${encodeURIComponent(path)}`)
      assert.include((yield* opened(path, credentials)).text, 'name="do" value="follow"')
      const agency = { agency: "larkmoor-city-council", return_to: path }
      const back = yield* posted("/account/follows", credentials, { ...agency, do: "follow" })
      assert.strictEqual(back.headers.get("location"), path)
      assert.strictEqual((yield* posted("/account/follows", credentials, { ...agency, do: "follow" })).status, 303)
      assert.include((yield* opened(path, credentials)).text, 'name="do" value="unfollow"')
      yield* posted("/account/follows", credentials, { place: "larkmoor", do: "follow" })
      assert.include((yield* opened("/in/larkmoor", credentials)).text, 'name="do" value="unfollow"')
      const list = yield* opened("/account/follows", credentials)
      assert.include(list.text, `href="${path}"`)
      assert.include(list.text, 'href="/in/larkmoor"')
      yield* posted("/account/follows", credentials, { ...agency, do: "unfollow" })
      const left = yield* Follows.use((follows) => follows.get(accountId))
      assert.deepStrictEqual(left, { agencies: [], places: ["larkmoor"] })
      const away = yield* posted("/account/follows", credentials, {
        place: "larkmoor",
        do: "follow",
        return_to: "https://elsewhere.example/"
      })
      assert.strictEqual(away.headers.get("location"), "/")
      const unknown = yield* posted("/account/follows", credentials, { place: "nowhere", do: "follow" })
      assert.strictEqual(unknown.status, 400)
      assert.include(unknown.text, "is no longer on record")
    })
  )

  it.effect("choose at the button what is mailed: first the recaps that the page promises", () =>
    Effect.gen(function* () {
      yield* putSample
      const { accountId, credentials } = yield* reader("recaps@example.org")
      const path = "/in/larkmoor/city-council"
      const prefs = EmailPrefs.use((all) => all.get(accountId))
      const agency = { agency: "larkmoor-city-council", return_to: path, do: "follow" }
      assert.match((yield* opened(path, credentials)).text, /<option value="each" selected[^>]*>/)
      const refused = yield* posted("/account/follows", credentials, { ...agency, recaps: "hourly" })
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, "Choose how often recaps are mailed.")
      assert.deepStrictEqual((yield* Follows.use((follows) => follows.get(accountId))).agencies, [])
      yield* posted("/account/follows", credentials, { ...agency, recaps: "each" })
      assert.deepStrictEqual(yield* prefs, { recaps: "each", saved_searches: "daily" })
      assert.include((yield* opened(path, credentials)).text, "A recap is mailed to you after each meeting.")
      yield* posted("/account/follows", credentials, { place: "larkmoor", do: "follow", recaps: "off" })
      assert.strictEqual((yield* prefs).recaps, "off")
      // Who follows something has chosen, and the next button keeps the choice.
      yield* posted("/account/follows", credentials, { place: "larkmoor", do: "unfollow", recaps: "each" })
      assert.strictEqual((yield* prefs).recaps, "off")
      assert.match((yield* opened("/in/larkmoor", credentials)).text, /<option value="off" selected[^>]*>/)
    })
  )

  it.effect("follow no more places than an account may follow", () =>
    Effect.gen(function* () {
      const { accountId, credentials } = yield* reader("eager@example.org")
      const db = yield* Db
      yield* db`
        insert into place (slug, name, kind, state, content_hash)
        select 'eager-' || n, 'Eager', 'city', 'IL', 'eager' from generate_series(0, ${mostFollowed}::int) n`
      yield* db`
        insert into followed_place (account_id, place_id)
        select ${accountId}::uuid, id from place where slug like 'eager-%' and slug <> 'eager-0'`
      const refused = yield* posted("/account/follows", credentials, { place: "eager-0", do: "follow" })
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, `You already follow ${mostFollowed}. Unfollow one first.`)
      const { places } = yield* Follows.use((follows) => follows.get(accountId))
      assert.strictEqual(places.length, mostFollowed)
      assert.notInclude(places, "eager-0")
      yield* db`delete from place where slug like 'eager-%'`
    })
  )

  it.effect("save the search of an address, rename it and delete it", () =>
    Effect.gen(function* () {
      yield* putSample
      const { accountId, credentials } = yield* reader("searcher@example.org")
      const at = "/browse?q=greenway&year=2026"
      assert.include((yield* opened(at, { headers: {} })).text, `/signin?return_to=${encodeURIComponent(at)}`)
      const query = fieldValue((yield* opened(at, credentials)).text, "query")?.replaceAll("&amp;", "&") ?? ""
      const saved = yield* followed(yield* posted("/account/searches", credentials, { query }), credentials)
      assert.strictEqual(saved.to, "/account/searches")
      assert.include(saved.page.text, at.replace("&", "&amp;"))
      const list = Effect.map(
        SavedSearches.use((searches) => searches.list(accountId)),
        ({ saved_searches }) => saved_searches
      )
      const [search] = yield* list
      const page = `/account/searches/${search?.id}`
      const wrong = yield* posted(page, credentials, { name: " " })
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, 'href="#name"')
      yield* posted(page, credentials, { name: "Creek news" })
      assert.deepStrictEqual(
        (yield* list).map(({ id, name }) => [id, name]),
        [[search?.id, "Creek news"]]
      )
      assert.strictEqual(
        (yield* posted(`${page}/remove`, credentials, {})).headers.get("location"),
        "/account/searches"
      )
      assert.deepStrictEqual(yield* list, [])
      assert.strictEqual((yield* posted(`${page}/remove`, credentials, {})).status, 404)
      assert.strictEqual((yield* opened(page, credentials)).status, 404)
      assert.strictEqual((yield* posted("/account/searches", credentials, { query: "year=soon" })).status, 400)
    })
  )

  it.effect("delete a clip of one's own only", () =>
    Effect.gen(function* () {
      yield* putSample
      const mine = yield* reader("cutter@example.org")
      const other = yield* reader("other@example.org")
      const { meetings } = yield* Browse.use((browse) => browse.search({ page_size: 1 }))
      const [meeting] = meetings
      if (meeting === undefined) return assert.fail("the sample has no meeting")
      const { id, slug } = yield* readyClip(mine.accountId, meeting.id)
      const page = yield* opened("/account/clips", mine.credentials)
      assert.include(page.text, `/clips/${slug}`)
      assert.include(page.text, `href="/api/user-clips/${id}/download"`)
      assert.notInclude(page.text, "client/clips.js")
      yield* (yield* Db)`update user_clip set state = 'rendering', ready_at = null where id = ${id}`
      assert.include((yield* opened("/account/clips", mine.credentials)).text, "client/clips.js")
      assert.strictEqual((yield* posted(`/account/clips/${id}/remove`, other.credentials, {})).status, 404)
      assert.strictEqual((yield* posted(`/account/clips/${id}/remove`, mine.credentials, {})).status, 303)
      assert.deepStrictEqual((yield* UserClips.use((clips) => clips.list(mine.accountId, undefined))).clips, [])
    })
  )

  it.effect("delete the account of an owner who types its address, and end the session", () =>
    Effect.gen(function* () {
      const { accountId, credentials } = yield* reader("leaving@example.org")
      yield* keptSearch(accountId)
      const wrong = yield* posted("/account/delete", credentials, { email: "leavin@example.org" })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, "Type leaving@example.org to confirm.")
      assert.strictEqual(fieldValue(wrong.text, "email"), "leavin@example.org")
      const gone = yield* posted("/account/delete", credentials, { email: "Leaving@example.org" })
      assert.deepStrictEqual([gone.status, gone.headers.get("location")], [303, "/account/deleted"])
      assert.match(gone.headers.get("set-cookie") ?? "", /cr_session=;/)
      assert.strictEqual(
        (yield* opened("/account", credentials)).headers.get("location"),
        "/signin?return_to=%2Faccount"
      )
      assert.include((yield* opened("/account/deleted", { headers: {} })).text, "Your account was deleted")
      assert.deepStrictEqual(yield* (yield* Db)`select from account where id = ${accountId}`, [])
    })
  )

  it.effect("are refused with the name of a field that contains U+0000", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader("hollow@example.org")
      const refused = yield* posted("/account/follows", credentials, { do: "follow", place: "lark\u0000moor" })
      assert.strictEqual(refused.status, 400)
      assert.include(refused.text, "place must not hold the character U+0000.")
    })
  )

  it.effect("are HTML forms: another type of body is refused", () =>
    Effect.gen(function* () {
      const { credentials } = yield* reader("typed@example.org")
      const sent = { name: "Zoë" }
      const json = yield* call("POST", "/account/name", credentials, sent)
      assert.strictEqual(json.status, 415)
      assert.notProperty(yield* account(credentials), "name")
    })
  )
})
