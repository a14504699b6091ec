import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Logger, Redacted, type Scope } from "effect"
import { TestClock } from "effect/testing"
import type { Email } from "postal-mime"
import { Db } from "../../../layers/db/db.ts"
import { Mailer } from "../../../layers/mailer.ts"
import type { EmailPreferences } from "../../../schema/account.ts"
import type { BundleEntity, BundleMeeting } from "../../../schema/bundle.ts"
import type { AccountId } from "../../../schema/primitives.ts"
import { EmailPrefs } from "../../../src/services/accounts/email-prefs.ts"
import { SavedSearches } from "../../../src/services/accounts/saved-searches.ts"
import { Digests } from "../../../src/services/mail/digests.ts"
import { figureKey } from "../../../src/services/meetings/media-tier.ts"
import { reader } from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { at } from "../../support/at.ts"
import {
  agency,
  agendaItemId,
  claimId,
  figureId,
  meeting,
  meetingId,
  place,
  putOnRecord
} from "../../support/builders.ts"
import { putObjects } from "../../support/full-record.ts"
import { serviceAddress, TestService } from "../../support/service.ts"
import { smtpServer } from "../../support/smtp.ts"

const baseUrl = "http://record.example.gov"

/** A real SMTP server beside the service. */
class Post extends Context.Service<Post, Effect.Success<ReturnType<typeof smtpServer>>>()("test/Post") {
  static readonly layer = Layer.effect(Post, smtpServer())
}

const mailer = Layer.unwrap(
  Effect.map(Post, ({ port }) => Mailer.layerSmtp(Redacted.make(`smtp://127.0.0.1:${port}`), baseUrl))
)

const World = Layer.effectDiscard(
  putOnRecord(
    place("springfield", { county: "Sangamon County" }),
    place("pena-springs", { name: "Peña Springs" }),
    agency("council", ["springfield"], { slug: "springfield-council", name: "Springfield Council" }),
    agency("school", ["pena-springs"], { slug: "pena-springs-school", name: "Peña Springs School Board" })
  )
).pipe(
  Layer.provideMerge(Digests.layer),
  Layer.provideMerge(mailer),
  Layer.provideMerge(Post.layer),
  Layer.provideMerge(TestService)
)

const tick = Digests.use(({ plan, deliver }) => Effect.andThen(plan, deliver))

/** Mails that have come, the oldest first. */
const inbox = (address?: string) =>
  Post.use(({ received }) =>
    Effect.succeed(received.filter(({ to }) => address === undefined || to[0] === address).map(({ email }) => email))
  )

const subjects = (mails: ReadonlyArray<Email>) => mails.map(({ subject }) => subject)

/** An account with these preferences that follows bodies by their slugs. */
const follower = Effect.fnUntraced(function* (
  email: string,
  prefs: Partial<EmailPreferences>,
  ...bodies: ReadonlyArray<string>
) {
  const db = yield* Db
  const { accountId } = yield* reader(email)
  yield* EmailPrefs.use(({ update }) => update(accountId, prefs))
  yield* db`
    insert into followed_body (account_id, body_id)
    select ${accountId}, id from body where slug = any(${bodies}::text[]) on conflict do nothing`
  return accountId
})

/** A held meeting with a recap whose headline is its name. */
const recapped = (
  name: string,
  over: Partial<BundleMeeting> = {},
  body = "springfield-council"
): ReadonlyArray<BundleEntity> => [
  meeting(name, body, over),
  { type: "recap", meeting_id: meetingId(name), headline: name, summary: `All of ${name}.`, decisions: [] }
]

/** A briefing of one topic, with one sentence supported, one contradicted and one without a claim. */
const briefed = (name: string, figures: ReadonlyArray<string> = []): BundleEntity => ({
  type: "briefing",
  meeting_id: meetingId(name),
  headline: "In brief",
  worth_watching: [{ text: "The vote" }],
  topics: [
    {
      title: "Money & <b>more</b>",
      sentences: [
        { text: "It passed.", citations: [], claim: claimId(`${name} good`) },
        { text: "It failed.", citations: [], claim: claimId(`${name} bad`) },
        { text: "People spoke.", citations: [] }
      ],
      figures: figures.map(figureId)
    }
  ],
  published_at: "2026-03-11T08:00:00Z"
})

const claimed = (name: string, isChecked: boolean): BundleEntity => ({
  type: "claims",
  meeting_id: meetingId(name),
  claims: (["good", "bad"] as const).map((kind) => ({
    id: claimId(`${name} ${kind}`),
    topic: "Money",
    text: kind,
    evidence: [],
    ...(isChecked
      ? { verdict: kind === "good" ? "supported" : "contradicted", checked_at: "2026-03-11T09:00:00Z" }
      : {})
  }))
})
const checked = (name: string) => claimed(name, true)

/** The address of the service under test for one in a mail, which has the base address. */
const here = (address: string) =>
  Effect.map(serviceAddress, (base) => {
    const { origin, pathname, search } = new URL(address)
    assert.strictEqual(origin, baseUrl)
    return base + pathname + search
  })

const header = (mail: Email | undefined, key: string) => mail?.headers.find((found) => found.key === key)?.value

const unsubscribeAddress = (mail: Email | undefined) =>
  /^<([^>]+)>$/.exec(header(mail, "list-unsubscribe") ?? "")?.[1] ?? ""

const prefsOf = (account: AccountId) => EmailPrefs.use(({ get }) => get(account))

const lively = (name: string, test: Effect.Effect<unknown, unknown, Layer.Success<typeof World> | Scope.Scope>) =>
  it.live(name, () => test.pipe(Effect.provide(World), Effect.provide(Logger.layer([]))))

describe("recaps for followers", () => {
  lively(
    "are mailed with their figures, in text and HTML, and can be ended by one click in the mail itself",
    Effect.gen(function* () {
      const account = yield* follower("zoe@example.org", { recaps: "each" }, "springfield-council")
      yield* Db.use((db) => db`update account set name = 'Zoë Åkerström' where id = ${account}`)
      const item = agendaItemId("greenway")
      yield* Effect.gen(function* () {
        yield* putOnRecord(
          meeting("full", "springfield-council", {
            starts_at: "2026-03-10T23:30:00Z",
            agenda_items: [{ id: item, title: "Greenway & <script>alert(1)</script>" }]
          }),
          {
            type: "recap",
            meeting_id: meetingId("full"),
            headline: "Council funds the Peña greenway <fast>",
            summary: 'It was "close".\nVery.',
            decisions: [{ agenda_item: item, outcome: "Approved", vote: "5–2" }]
          },
          briefed("full", ["costs"]),
          checked("full"),
          {
            type: "figure",
            meeting_id: meetingId("full"),
            id: figureId("costs"),
            title: "Costs",
            alt: 'Three "bars" & more.'
          }
        )
        yield* putObjects({
          key: figureKey(meetingId("full"), figureId("costs")),
          role: "figure",
          subject: figureId("costs"),
          media_type: "image/png",
          width: 1200,
          height: 800
        })
      }).pipe(at("2026-03-11T15:00:00Z"))
      assert.strictEqual(yield* tick.pipe(at("2026-03-11T15:01:00Z")), 1)
      const [mail, ...others] = yield* inbox()
      assert.lengthOf(others, 0)
      assert.deepStrictEqual(mail?.to, [{ name: "Zoë Åkerström", address: "zoe@example.org" }])
      assert.strictEqual(mail?.subject, "Springfield Council, March 10: Council funds the Peña greenway <fast>")
      assert.strictEqual(header(mail, "auto-submitted"), "auto-generated")
      assert.strictEqual(header(mail, "list-unsubscribe-post"), "List-Unsubscribe=One-Click")
      assert.match(mail?.messageId ?? "", /^<[0-9a-f-]{36}@record\.example\.gov>$/)
      assert.match(header(mail, "content-type") ?? "", /^multipart\/alternative/)

      const { html = "", text = "" } = mail ?? {}
      for (const part of [html, text]) {
        for (const told of ["Very.", "Approved, 5–2", "The vote", "It passed. People spoke.", "6:30 PM CDT", "Costs"]) {
          assert.include(part, told)
        }
        assert.notInclude(part, "It failed.")
        assert.include(part, "/in/springfield/council/2026-03-10-")
        assert.include(part, "you follow")
        assert.include(part, unsubscribeAddress(mail))
      }
      assert.include(text, "Greenway & <script>alert(1)</script>: Approved")
      assert.include(html, "Greenway &amp; &lt;script&gt;alert(1)&lt;/script&gt;: Approved")
      assert.include(html, "Money &amp; &lt;b&gt;more&lt;/b&gt;")
      assert.include(html, "Council funds the Peña greenway &lt;fast&gt;")
      assert.notMatch(html, /<script|<fast|<b>/)
      assert.include(html, 'alt="Three &quot;bars&quot; &amp; more." width="560" height="373"')

      // The figure is available to anyone with the mail, and only under its own grant.
      const images = [...html.matchAll(/<img src="([^"]+)"/g)].map(([, src = ""]) => src.replaceAll("&amp;", "&"))
      assert.lengthOf(images, 1)
      const image = yield* ask(yield* here(images[0] ?? ""))
      assert.deepStrictEqual([image.status, image.headers.get("content-type")], [200, "image/png"])
      assert.isTrue(image.text.startsWith(figureKey(meetingId("full"), figureId("costs"))))
      assert.strictEqual((yield* ask((yield* here(images[0] ?? "")).replace(/\?.*/, ""))).status, 403)

      // As a mail program does it (RFC 8058, section 3.1): the address in the header, one field, no cookie.
      const address = yield* here(unsubscribeAddress(mail))
      const page = yield* ask(address)
      assert.strictEqual(page.status, 200)
      assert.include(page.text, '<form method="post"')
      assert.strictEqual((yield* prefsOf(account)).recaps, "each")
      const done = yield* ask(address, {
        method: "POST",
        body: new URLSearchParams({ "List-Unsubscribe": "One-Click" })
      })
      assert.strictEqual(done.status, 200)
      assert.deepStrictEqual(yield* prefsOf(account), { recaps: "off", saved_searches: "daily" })
      yield* putOnRecord(...recapped("later")).pipe(at("2026-03-12T15:00:00Z"))
      yield* tick.pipe(at("2026-03-12T15:02:00Z"))
      assert.lengthOf(yield* inbox(), 1)
    })
  )

  lively(
    "come as each is put on record, once, the earlier meeting first",
    Effect.gen(function* () {
      yield* follower("each@example.org", { recaps: "each" }, "springfield-council")
      yield* putOnRecord(
        ...recapped("evening", { starts_at: "2026-03-11T00:00:00Z" }),
        ...recapped("morning", { starts_at: "2026-03-10T14:00:00Z" }),
        ...recapped("day before", { date: "2026-03-09" }),
        ...recapped("elsewhere", {}, "pena-springs-school"),
        meeting("without", "springfield-council"),
        meeting("planned", "springfield-council", { status: "upcoming", date: "2026-04-01" })
      ).pipe(at("2026-03-11T15:00:00Z"))
      // More may still be arriving.
      assert.strictEqual(yield* tick.pipe(at("2026-03-11T15:00:59Z")), 0)
      assert.strictEqual(yield* tick.pipe(at("2026-03-11T15:01:00Z")), 3)
      const came = yield* inbox()
      assert.deepStrictEqual(
        subjects(came),
        ["day before", "morning", "evening"].map(
          (name) => `Springfield Council, March ${name === "day before" ? 9 : 10}: ${name}`
        )
      )
      // Published again, with other words: it has been mailed already.
      yield* putOnRecord({
        type: "recap",
        meeting_id: meetingId("evening"),
        headline: "Corrected",
        summary: "Anew.",
        decisions: []
      }).pipe(at("2026-03-12T15:00:00Z"))
      for (const day of ["12", "13", "20"]) yield* tick.pipe(at(`2026-03-${day}T16:00:00Z`))
      assert.lengthOf(yield* inbox(), 3)
    })
  )

  lively(
    "come in one mail at seven, daily or on Mondays, even on the days of a clock change",
    Effect.gen(function* () {
      yield* follower("daily@example.org", { recaps: "daily" }, "springfield-council", "pena-springs-school")
      yield* follower("weekly@example.org", { recaps: "weekly" }, "springfield-council")
      const guam = yield* follower("guam@example.org", { recaps: "daily" }, "springfield-council")
      yield* Db.use((db) => db`update email_pref set timezone = 'Pacific/Guam' where account_id = ${guam}`)
      // Saturday noon in Chicago; at two the next morning clocks go forward.
      yield* putOnRecord(...recapped("b", { date: "2026-03-06" }), ...recapped("a", { date: "2026-03-05" })).pipe(
        at("2026-03-07T18:00:00Z")
      )
      yield* tick.pipe(at("2026-03-07T18:01:00Z"))
      yield* putOnRecord(...recapped("c", { date: "2026-03-07" }, "pena-springs-school")).pipe(
        at("2026-03-08T11:50:00Z")
      )
      assert.strictEqual(yield* tick.pipe(at("2026-03-08T11:59:59Z")), 1)
      assert.deepStrictEqual(subjects(yield* inbox("guam@example.org")), ["2 recaps: a, and more"])
      assert.lengthOf(yield* inbox("daily@example.org"), 0)
      assert.strictEqual(yield* tick.pipe(at("2026-03-08T12:00:00Z")), 1)
      const [daily] = yield* inbox("daily@example.org")
      assert.strictEqual(daily?.subject, "3 recaps: a, and more")
      const order = ["All of a.", "All of b.", "All of c."].map((text) => daily?.text?.indexOf(text) ?? -1)
      assert.isAbove(order[0] ?? -1, 0)
      assert.deepStrictEqual(
        order,
        order.toSorted((x, y) => x - y)
      )
      assert.strictEqual(yield* tick.pipe(at("2026-03-09T11:59:00Z")), 0)
      assert.strictEqual(yield* tick.pipe(at("2026-03-09T12:00:00Z")), 1)
      assert.deepStrictEqual(subjects(yield* inbox("weekly@example.org")), ["2 recaps: a, and more"])
      // In autumn, seven o'clock is an hour later.
      yield* putOnRecord(...recapped("d")).pipe(at("2026-10-31T18:00:00Z"))
      yield* tick.pipe(at("2026-10-31T19:00:00Z"))
      assert.lengthOf(yield* inbox("guam@example.org"), 1)
      yield* tick.pipe(at("2026-11-01T12:59:00Z"))
      assert.lengthOf(yield* inbox("daily@example.org"), 1)
      yield* tick.pipe(at("2026-11-01T13:00:00Z"))
      assert.lengthOf(yield* inbox("daily@example.org"), 2)
    })
  )

  lively(
    "wait for the check of the briefing, and go to the followers at that moment",
    Effect.gen(function* () {
      yield* follower("early@example.org", { recaps: "each" }, "springfield-council")
      const placed = yield* follower("place@example.org", { recaps: "each" })
      yield* Db.use((db) => db`insert into followed_place select ${placed}, id from place where slug = 'springfield'`)
      yield* follower("off@example.org", { recaps: "off" }, "springfield-council")
      const leaver = yield* follower("leaver@example.org", { recaps: "daily" }, "springfield-council")
      yield* putOnRecord(...recapped("pending"), briefed("pending"), claimed("pending", false)).pipe(
        at("2026-03-11T15:00:00Z")
      )
      assert.strictEqual(yield* tick.pipe(at("2026-03-11T18:00:00Z")), 0)
      yield* putOnRecord(checked("pending")).pipe(at("2026-03-11T18:00:30Z"))
      assert.strictEqual(yield* tick.pipe(at("2026-03-11T18:02:00Z")), 2)
      yield* follower("late@example.org", { recaps: "each" }, "springfield-council")
      yield* follower("off@example.org", { recaps: "each" })
      yield* Db.use((db) => db`delete from followed_body where account_id = ${leaver}`)
      yield* tick.pipe(at("2026-03-12T18:00:00Z"))
      assert.deepStrictEqual((yield* inbox()).map(({ to }) => to?.[0]?.address).sort(), [
        "early@example.org",
        "place@example.org"
      ])
      const [mail] = yield* inbox()
      assert.include(mail?.text ?? "", "It passed.")
      assert.notInclude(mail?.text ?? "", "It failed.")
    })
  )

  lively(
    "fit in a mail whatever their number and length",
    Effect.gen(function* () {
      yield* follower("many@example.org", { recaps: "each" }, "springfield-council")
      const names = Array.from({ length: 23 }, (_, n) => `${String(n).padStart(2, "0")} ${"überlang ".repeat(30)}`)
      yield* Effect.forEach(names, (name, n) =>
        putOnRecord(...recapped(name, { date: `2026-03-${String(n + 1).padStart(2, "0")}`, title: "T".repeat(400) }))
      ).pipe(at("2026-03-31T15:00:00Z"))
      assert.strictEqual(yield* tick.pipe(at("2026-03-31T15:05:00Z")), 1)
      const [mail] = yield* inbox()
      assert.match(mail?.subject ?? "", /^23 recaps: 00 überlang .*…, and more$/)
      assert.isAtMost(mail?.subject?.length ?? 999, 140)
      assert.lengthOf([...(mail?.html ?? "").matchAll(/<h2/g)], 20)
      assert.include(mail?.text ?? "", "And 3 more: http://record.example.gov/browse")
      assert.notInclude(mail?.html ?? "", "<img")
      assert.strictEqual(yield* tick.pipe(at("2026-03-31T16:05:00Z")), 0)
    })
  )
})

describe("a mail in transit", () => {
  lively(
    "is sent once, even if two nodes plan and send at the same time",
    Effect.gen(function* () {
      for (const n of [1, 2, 3]) yield* follower(`r${n}@example.org`, { recaps: "each" }, "springfield-council")
      const { accountId } = yield* reader("r1@example.org")
      yield* SavedSearches.use(({ save }) => save(accountId, { query: {} })).pipe(at("2026-03-01T15:00:00Z"))
      yield* putOnRecord(...recapped("one"), ...recapped("two")).pipe(at("2026-03-11T15:00:00Z"))
      const other = yield* Layer.build(Layer.fresh(Digests.layer))
      const both = [tick, tick.pipe(Effect.provide(other)), tick, tick.pipe(Effect.provide(other))]
      for (const minute of ["01", "02"]) {
        yield* Effect.all(both, { concurrency: "unbounded" }).pipe(at(`2026-03-11T15:${minute}:00Z`))
      }
      const came = yield* inbox()
      assert.lengthOf(came, 7)
      assert.lengthOf(new Set(came.map(({ messageId }) => messageId)), 7)
      for (const n of [1, 2, 3]) {
        const recaps = (yield* inbox(`r${n}@example.org`)).filter(({ subject }) => subject?.includes("March 10"))
        assert.deepStrictEqual(
          subjects(recaps).map((subject) => subject?.slice(-3)),
          meetingId("one") < meetingId("two") ? ["one", "two"] : ["two", "one"]
        )
      }
    })
  )

  lively(
    "is sent if the node was killed before, and again with the same message id if it was killed after",
    Effect.gen(function* () {
      yield* follower("each@example.org", { recaps: "each" }, "springfield-council")
      yield* putOnRecord(...recapped("one")).pipe(at("2026-03-11T15:00:00Z"))
      // Claimed, but not sent.
      yield* Digests.use(({ plan }) => plan).pipe(at("2026-03-11T15:01:00Z"))
      assert.lengthOf(yield* inbox(), 0)
      // Handed over, then killed before that was recorded.
      const real = yield* Mailer
      const killed = Layer.succeed(Mailer, {
        ...real,
        send: (mail) => Effect.andThen(real.send(mail), Effect.never)
      })
      const node = yield* Layer.build(Layer.fresh(Digests.layer).pipe(Layer.provide(killed)))
      const sending = yield* Digests.use(({ deliver }) => deliver).pipe(
        Effect.provide(node),
        at("2026-03-11T15:01:10Z"),
        Effect.forkChild
      )
      while ((yield* inbox()).length === 0) yield* Effect.sleep("20 millis")
      yield* Fiber.interrupt(sending)
      assert.strictEqual(yield* tick.pipe(at("2026-03-11T15:02:00Z")), 1)
      assert.strictEqual(yield* tick.pipe(at("2026-03-11T15:03:00Z")), 0)
      const came = yield* inbox()
      assert.lengthOf(came, 2)
      assert.strictEqual(came[0]?.messageId, came[1]?.messageId)
    })
  )

  lively(
    "waits while its server is unavailable, is retried when declined, and given up in the end",
    Effect.gen(function* () {
      yield* follower("each@example.org", { recaps: "each" }, "springfield-council")
      yield* putOnRecord(...recapped("one")).pipe(at("2026-03-11T15:00:00Z"))
      const away = yield* Layer.build(
        Layer.fresh(Digests.layer).pipe(Layer.provide(Mailer.layerSmtp(Redacted.make("smtp://127.0.0.1:1"), baseUrl)))
      )
      assert.strictEqual(yield* tick.pipe(Effect.provide(away), at("2026-03-11T15:01:00Z")), 0)
      let asked = 0
      const { port } = yield* smtpServer({
        onRcptTo: (_, _session, done) => {
          asked++
          done(new Error("450 come back later"))
        }
      })
      const declining = yield* Layer.build(
        Layer.fresh(Digests.layer).pipe(
          Layer.provide(Mailer.layerSmtp(Redacted.make(`smtp://127.0.0.1:${port}`), baseUrl))
        )
      )
      for (const minute of ["02", "11", "12"]) {
        yield* tick.pipe(Effect.provide(declining), at(`2026-03-11T15:${minute}:00Z`))
      }
      assert.strictEqual(asked, 2)
      for (let day = 12; day < 28; day++) yield* tick.pipe(Effect.provide(declining), at(`2026-03-${day}T15:00:00Z`))
      assert.strictEqual(asked, 9)
      assert.strictEqual(yield* tick.pipe(at("2026-03-29T15:00:00Z")), 0)
    })
  )

  lively(
    "leaves by itself, within minutes of being due",
    Effect.gen(function* () {
      yield* follower("each@example.org", { recaps: "each" }, "springfield-council")
      yield* putOnRecord(...recapped("one")).pipe(at("2026-03-11T15:00:00Z"))
      yield* Effect.gen(function* () {
        yield* TestClock.setTime(Date.parse("2026-03-11T14:00:00Z"))
        yield* Layer.build(Digests.schedule)
        while ((yield* inbox()).length === 0) {
          yield* TestClock.adjust("1 minute")
          yield* TestClock.withLive(Effect.sleep("20 millis"))
        }
      }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
      assert.lengthOf(yield* inbox(), 1)
    })
  )

  lively(
    "is not sent to a reader who unsubscribed in the meantime",
    Effect.gen(function* () {
      const account = yield* follower("each@example.org", { recaps: "each" }, "springfield-council")
      yield* putOnRecord(...recapped("one")).pipe(at("2026-03-11T15:00:00Z"))
      yield* Digests.use(({ plan }) => plan).pipe(at("2026-03-11T15:01:00Z"))
      yield* EmailPrefs.use(({ unsubscribe }) => unsubscribe({ accountId: account, list: "all" }))
      assert.strictEqual(yield* tick.pipe(at("2026-03-11T15:02:00Z")), 0)
      assert.lengthOf(yield* inbox(), 0)
    })
  )
})

describe("a match of a saved search", () => {
  lively(
    "is mailed when it is new, at seven, once, and never otherwise",
    Effect.gen(function* () {
      const { accountId } = yield* reader("search@example.org")
      yield* putOnRecord(
        meeting("old", "springfield-council", { title: "Greenway hearing", date: "2026-03-01" }),
        meeting("silent", "springfield-council", { date: "2026-03-02" })
      ).pipe(at("2026-03-10T15:00:00Z"))
      yield* SavedSearches.use(({ save }) =>
        Effect.andThen(
          save(accountId, { query: { q: "greenway", city: ["Springfield"] }, name: "Grün & <b>Weg</b>" }),
          save(accountId, { query: { q: "budget" } })
        )
      ).pipe(at("2026-03-10T15:01:00Z"))
      // A meeting that it has found before is not news, whatever changes about it.
      yield* putOnRecord(
        meeting("old", "springfield-council", { title: "Greenway hearing, continued", date: "2026-03-01" })
      ).pipe(at("2026-03-11T10:00:00Z"))
      assert.strictEqual(yield* tick.pipe(at("2026-03-11T12:00:00Z")), 0)
      yield* putOnRecord(
        meeting("new", "springfield-council", { title: "Greenway vote", date: "2026-03-09" }),
        meeting("planned", "springfield-council", { title: "Greenway", status: "upcoming", date: "2026-04-09" }),
        meeting("off", "pena-springs-school", { title: "Greenway elsewhere" }),
        // It was on record before, and is a match from now on.
        meeting("silent", "springfield-council", {
          date: "2026-03-02",
          agenda_items: [{ id: agendaItemId("g"), title: "Greenway" }]
        })
      ).pipe(at("2026-03-11T15:00:00Z"))
      assert.strictEqual(yield* tick.pipe(at("2026-03-12T11:59:00Z")), 0)
      assert.strictEqual(yield* tick.pipe(at("2026-03-12T12:00:00Z")), 1)
      const [mail] = yield* inbox()
      assert.strictEqual(mail?.subject, "2 new meetings for Grün & <b>Weg</b>")
      assert.include(mail?.html ?? "", "Grün &amp; &lt;b&gt;Weg&lt;/b&gt;")
      assert.include(mail?.text ?? "", `${baseUrl}/browse?city=Springfield&q=greenway`)
      assert.match(mail?.text ?? "", /Greenway vote: \S+\/in\/springfield\/council\/2026-03-09-[0-9a-f]{8}\n/)
      assert.match(mail?.text ?? "", /2026-03-02-[0-9a-f]{8}/)
      assert.notMatch(mail?.text ?? "", /2026-03-01-|2026-04-09-|elsewhere|budget/)
      for (const day of ["12", "13", "14"]) yield* tick.pipe(at(`2026-03-${day}T18:00:00Z`))
      assert.lengthOf(yield* inbox(), 1)

      // By the mail's own header, in the other encoding.
      const form = new FormData()
      form.append("List-Unsubscribe", "One-Click")
      const ended = yield* ask(yield* here(unsubscribeAddress(mail)), { method: "POST", body: form })
      assert.strictEqual(ended.status, 200)
      assert.deepStrictEqual(yield* prefsOf(accountId), { recaps: "off", saved_searches: "off" })
      yield* putOnRecord(meeting("newer", "springfield-council", { title: "Greenway once more" })).pipe(
        at("2026-03-15T15:00:00Z")
      )
      assert.strictEqual(yield* tick.pipe(at("2026-03-17T15:00:00Z")), 0)
    })
  )

  lively(
    "comes on Mondays if the reader wants that, with at most twenty meetings listed",
    Effect.gen(function* () {
      const { accountId } = yield* reader("weekly@example.org")
      yield* EmailPrefs.use(({ update }) => update(accountId, { saved_searches: "weekly" }))
      yield* SavedSearches.use(({ save }) => save(accountId, { query: { type: ["city_council"] } })).pipe(
        at("2026-03-10T15:00:00Z")
      )
      yield* putOnRecord(
        ...Array.from({ length: 26 }, (_, n) =>
          meeting(`m${n}`, "springfield-council", {
            date: `2026-02-${String(n + 1).padStart(2, "0")}`,
            title: `No ${n}.`
          })
        )
      ).pipe(at("2026-03-10T16:00:00Z"))
      assert.strictEqual(yield* tick.pipe(at("2026-03-15T15:00:00Z")), 0)
      assert.strictEqual(yield* tick.pipe(at("2026-03-16T12:00:00Z")), 1)
      const [mail] = yield* inbox()
      assert.strictEqual(mail?.subject, "26 new meetings for city council")
      assert.include(mail?.text ?? "", "No 25.")
      assert.notInclude(mail?.text ?? "", "No 5.")
      assert.include(mail?.text ?? "", "And 6 more: http://record.example.gov/browse?type=city_council")
    })
  )

  lively(
    "tells each new action on a matter and each vote of a person that are followed, once",
    Effect.gen(function* () {
      const { accountId } = yield* reader("follower@example.org")
      const matter = (...history: ReadonlyArray<object>) =>
        putOnRecord({
          ...{ type: "matter", slug: "springfield-ord-1", place: "springfield", identifier: "Ord. 1", title: "Creek" },
          ...{ kind: "ordinance", status: "introduced" },
          history: history.map((step) => ({ date: "2026-03-01", action: "Introduced", ...step }))
        })
      const first = { meeting_id: meetingId("first") }
      const vote = putOnRecord({
        ...{ type: "vote", id: "d1f4c7a2-93b0-5e6d-8f21-7b3c5a9e0f02", kind: "vote", ...first, result: "pass" },
        ...{ matter: "springfield-ord-1", motion: "Adopt" },
        ballots: [
          { person: "springfield-ada", name: "Ada Marsh", option: "no" },
          ...["Ben", "Cho"].map((name) => ({ name, option: "yes" as const }))
        ]
      })
      const noise = { id: agendaItemId("noise"), title: "Noise" }
      yield* putOnRecord(meeting("first", "springfield-council", { date: "2026-03-01", agenda_items: [noise] })).pipe(
        at("2026-03-02T15:00:00Z")
      )
      yield* matter(first).pipe(at("2026-03-02T15:00:00Z"))
      yield* putOnRecord({ type: "person", slug: "springfield-ada", place: "springfield", name: "Ada Marsh" })
      yield* SavedSearches.use(({ save }) =>
        Effect.andThen(
          save(accountId, { query: { matter: ["springfield-ord-1"] }, name: "Ord. 1: Creek" }),
          save(accountId, { query: { person: ["springfield-ada"] }, name: "Ada Marsh" })
        )
      ).pipe(at("2026-03-02T16:00:00Z"))
      assert.strictEqual(yield* tick.pipe(at("2026-03-03T15:00:00Z")), 0)

      // The meeting is known, and the vote is not.
      yield* vote.pipe(at("2026-03-03T16:00:00Z"))
      yield* matter(
        first,
        { ...first, action: "Approved by Council" },
        { action: "Sent to Mayor", date: "2026-03-03" }
      ).pipe(at("2026-03-03T17:00:00Z"))
      assert.strictEqual(yield* tick.pipe(at("2026-03-04T15:00:00Z")), 1)
      const [mail] = yield* inbox()
      assert.strictEqual(mail?.subject, "2 new actions on what you follow")
      const text = mail?.text ?? ""
      assert.include(
        text,
        `March 1, 2026: Approved by Council; passed, 2–1: ${baseUrl}/in/springfield/matters/springfield-ord-1`
      )
      assert.include(text, "March 3, 2026: Sent to Mayor")
      assert.notInclude(text, "Introduced")
      assert.include(text, "Ada Marsh: no on Creek")
      // Written again, with another title, it has no news.
      yield* matter(first, { ...first, action: "Approved by Council" }, { action: "Sent to Mayor", date: "2026-03-03" })
      assert.strictEqual(yield* tick.pipe(at("2026-03-05T15:00:00Z")), 0)

      yield* putOnRecord(
        meeting("next", "springfield-council", {
          date: "2026-04-09",
          status: "upcoming",
          agenda_items: [{ id: agendaItemId("next"), title: "Creek", matter: "Ordinance No. 1" }]
        })
      ).pipe(at("2026-03-05T16:00:00Z"))
      assert.strictEqual(yield* tick.pipe(at("2026-03-06T15:00:00Z")), 1)
      const [, later] = yield* inbox()
      assert.strictEqual(later?.subject, "1 new action on Ord. 1: Creek")
      assert.include(later?.text ?? "", "April 9, 2026: On the agenda")

      // At a meeting that was told: one that was heard, and then the city's own, which says the same.
      const another = (id: string, over: object) =>
        putOnRecord({
          ...{ type: "vote", id: `d1f4c7a2-93b0-5e6d-8f21-7b3c5a9e0f${id}`, kind: "vote", ...first, result: "fail" },
          ...{
            agenda_item: noise.id,
            ballots: [{ person: "springfield-ada", name: "Ada Marsh", option: "no" }],
            ...over
          }
        })
      yield* another("03", { from: "transcript" }).pipe(at("2026-03-06T16:00:00Z"))
      assert.strictEqual(yield* tick.pipe(at("2026-03-07T15:00:00Z")), 1)
      const [, , told] = yield* inbox()
      assert.strictEqual(told?.subject, "1 new action on Ada Marsh")
      assert.match(told?.text ?? "", /March 1, 2026: Ada Marsh: no on Noise: \S+\/2026-03-01-[0-9a-f]+#votes/)
      yield* another("04", { from: "source" }).pipe(at("2026-03-07T16:00:00Z"))
      for (const day of ["08", "09"]) assert.strictEqual(yield* tick.pipe(at(`2026-03-${day}T15:00:00Z`)), 0)
    })
  )
})
