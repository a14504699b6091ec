import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import PostalMime, { type Email } from "postal-mime"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { type Mail, Mailer } from "../../layers/mailer.ts"
import { readOutbox } from "../support/outbox.ts"
import { smtpServer } from "../support/smtp.ts"

const newFolder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "civic-mail-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true }))
)

const baseUrl = "https://record.example.gov"

const mail: Mail = {
  to: { name: "Zoë Åkerström", address: "zoe@example.org" },
  subject: "Übersicht: 市議会 met, und es wurde spät – drei Sitzungen, eine Abstimmung, viele Fragen",
  text: "Grüße\nThe council met.\n",
  html: "<p>Grüße</p><p>The council met.</p>",
  kind: "recap",
  listUnsubscribe: { url: "https://record.example.gov/api/email/unsubscribe?token=a.b_c-d&kind=recaps" }
}

const sendBy = (layer: Layer.Layer<Mailer>, ...mails: ReadonlyArray<Mail>) =>
  Effect.forEach(mails, (one) => Mailer.use((mailer) => mailer.send(one)), { discard: true }).pipe(
    Effect.provide(layer)
  )

const smtp = (port: number, credentials = "") =>
  Mailer.layerSmtp(Redacted.make(`smtp://${credentials}127.0.0.1:${port}`), baseUrl)

/** The headers that may differ between the two ways out: none. */
const checkMail = (email: Email, raw: string) => {
  const header = (key: string) => email.headers.find((found) => found.key === key)?.value
  assert.deepStrictEqual(email.from, { name: "Civic Record", address: "no-reply@record.example.gov" })
  assert.deepStrictEqual(email.to, [{ name: "Zoë Åkerström", address: "zoe@example.org" }])
  assert.strictEqual(email.subject, mail.subject)
  assert.strictEqual(email.text?.replaceAll("\r\n", "\n").trimEnd(), mail.text.trimEnd())
  assert.strictEqual(email.html?.trim(), mail.html)
  assert.match(header("content-type") ?? "", /^multipart\/alternative/)
  assert.match(email.messageId ?? "", /^<[0-9a-f-]{36}@record\.example\.gov>$/)
  assert.strictEqual(email.date, "2026-03-10T14:25:01.000Z")
  assert.strictEqual(header("auto-submitted"), "auto-generated")
  assert.strictEqual(header("x-civic-record-kind"), "recap")
  assert.strictEqual(header("list-unsubscribe"), `<${mail.listUnsubscribe?.url}>`)
  assert.strictEqual(header("list-unsubscribe-post"), "List-Unsubscribe=One-Click")
  // RFC 5322: lines end in CRLF, and in ASCII without 8BITMIME none is over 998 bytes.
  assert.isFalse(/[^\r]\n/.test(raw))
  assert.isTrue(raw.split("\r\n").every((line) => line.length <= 998))
}

const atNoon = TestClock.setTime(Date.UTC(2026, 2, 10, 14, 25, 1, 123))

const outcome = <R>(effect: Effect.Effect<void, { readonly reason: string }, R>) =>
  Effect.match(effect, { onSuccess: () => "taken", onFailure: ({ reason }) => reason })

describe("Mailer to an outbox", () => {
  it.effect("writes whole messages, for their owner alone, in chronological order", () =>
    Effect.gen(function* () {
      yield* atNoon
      const dataDir = yield* newFolder
      const layer = Mailer.layer.pipe(
        Layer.provide(
          Layer.effect(Environment, readEnvironment({ DATA_DIR: dataDir, BASE_URL: "http://127.0.0.1:8787" }))
        )
      )
      const folder = path.join(dataDir, "outbox")
      yield* Effect.gen(function* () {
        const mailer = yield* Mailer
        assert.isTrue(mailer.isOutbox)
        for (const subject of ["first", "second", "third"]) {
          yield* mailer.send({ ...mail, subject })
          yield* TestClock.adjust("1 millis")
        }
      }).pipe(Effect.provide(layer))
      const names = fs.readdirSync(folder).sort()
      assert.lengthOf(names, 3)
      assert.match(names[0] ?? "", /^20260310T142501123Z-[0-9a-f]{12}\.eml$/)
      for (const name of names) assert.strictEqual(fs.statSync(path.join(folder, name)).mode & 0o777, 0o600)
      assert.strictEqual(fs.statSync(folder).mode & 0o777, 0o700)
      const mails = yield* Effect.promise(() => readOutbox(folder))
      assert.deepStrictEqual(
        mails.map(({ subject }) => subject),
        ["first", "second", "third"]
      )
      // A network address is not the domain of a mailbox.
      assert.strictEqual(mails[0]?.from?.address, "no-reply@localhost")
    })
  )

  it.effect("writes the message that a server would get", () =>
    Effect.gen(function* () {
      yield* atNoon
      const folder = yield* newFolder
      yield* sendBy(Mailer.layerOutbox(folder, baseUrl), mail)
      const [name = ""] = fs.readdirSync(folder)
      const raw = fs.readFileSync(path.join(folder, name))
      const email = yield* Effect.promise(() => PostalMime.parse(raw))
      checkMail(email, raw.toString("latin1"))
    })
  )

  it.effect("fails by name if the folder cannot be written", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      fs.writeFileSync(path.join(folder, "outbox"), "a file")
      assert.strictEqual(
        yield* outcome(sendBy(Mailer.layerOutbox(path.join(folder, "outbox"), baseUrl), mail)),
        "outbox"
      )
    })
  )

  it.effect("lets no line of a subject or a name become a header, and no address be more than one", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const layer = Mailer.layerOutbox(folder, baseUrl)
      for (const newline of ["\r\n", "\n", "\r", "\u2028", "\0"]) {
        yield* sendBy(layer, {
          ...mail,
          to: { name: `Zoë${newline}Bcc: x@example.org`, address: "zoe@example.org" },
          subject: `Hello${newline}Bcc: x@example.org${newline}${newline}<p>body`
        })
        for (const address of [
          `zoe@example.org${newline}Bcc: x@example.org`,
          `zoe${newline}@example.org`,
          "zoe@example.org, x@example.org",
          "zoe@example.org;x@example.org",
          "Zoë <zoe@example.org>",
          '"zoe x"@example.org',
          "zoe",
          "@example.org",
          ""
        ]) {
          assert.strictEqual(
            yield* outcome(sendBy(layer, { ...mail, to: address })),
            "recipient",
            JSON.stringify(address)
          )
        }
      }
      const mails = yield* Effect.promise(() => readOutbox(folder))
      assert.lengthOf(mails, 5)
      for (const email of mails) {
        assert.isUndefined(email.bcc)
        assert.deepStrictEqual(
          email.to?.map(({ address }) => address),
          ["zoe@example.org"]
        )
        assert.strictEqual(email.text?.trimEnd().replaceAll("\r\n", "\n"), mail.text.trimEnd())
        assert.include(email.subject ?? "", "Hello Bcc: x@example.org <p>body")
      }
    })
  )

  it.effect("reads no file that a text names", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const secret = path.join(folder, "secret")
      fs.writeFileSync(secret, "of nobody's concern")
      const named = { path: secret } as unknown as string
      assert.strictEqual(
        yield* outcome(sendBy(Mailer.layerOutbox(path.join(folder, "outbox"), baseUrl), { ...mail, text: named })),
        "outbox"
      )
    })
  )
})

describe("Mailer to a server", () => {
  it.live("hands over a whole message, with its sender and recipient", () =>
    Effect.gen(function* () {
      const { received, port } = yield* smtpServer()
      yield* Effect.gen(function* () {
        yield* atNoon
        yield* sendBy(smtp(port), mail, { ...mail, to: "other@example.org" })
      }).pipe(Effect.provide(TestClock.layer()))
      assert.deepStrictEqual(
        received.map(({ from, to }) => ({ from, to })),
        [
          { from: "no-reply@record.example.gov", to: ["zoe@example.org"] },
          { from: "no-reply@record.example.gov", to: ["other@example.org"] }
        ]
      )
      const [first] = received
      if (first === undefined) return assert.fail("nothing came")
      checkMail(first.email, first.raw)
    })
  )

  it.live("leaves out the headers of a mailing list if there is none", () =>
    Effect.gen(function* () {
      const { received, port } = yield* smtpServer()
      const { listUnsubscribe: _, ...plain } = mail
      yield* sendBy(smtp(port), { ...plain, headers: { "X-Meeting": "3f2b8c1e" } })
      const keys = received[0]?.email.headers.map(({ key }) => key) ?? []
      assert.include(keys, "x-meeting")
      assert.isFalse(keys.some((key) => key.startsWith("list-")))
    })
  )

  it.live("signs in to the server with the credentials in the address", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const { received, port } = yield* smtpServer({
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: ({ username, password }, _, done) => {
          asked.push(`${username} ${password}`)
          if (password === "pass:word") done(null, { user: username ?? "" })
          else done(new Error("535 no such user"))
        }
      })
      yield* sendBy(smtp(port, "record:pass%3Aword@"), mail)
      assert.deepStrictEqual(asked, ["record pass:word"])
      assert.lengthOf(received, 1)
      assert.strictEqual(yield* outcome(sendBy(smtp(port, "record:hunter2@"), mail)), "credentials")
    })
  )

  it.live("fails by name, and reveals no secret of it", () =>
    Effect.gen(function* () {
      const { server, port } = yield* smtpServer({
        onRcptTo: (address, _, done) =>
          done(address.address.startsWith("zoe") ? new Error("550 no such mailbox") : null)
      })
      assert.strictEqual(yield* outcome(sendBy(smtp(port), mail)), "recipient")

      const full = yield* smtpServer({
        onData: (stream, _, done) => {
          stream.resume()
          stream.on("end", () => done(Object.assign(new Error("mailbox is full"), { responseCode: 552 })))
        }
      })
      assert.strictEqual(yield* outcome(sendBy(smtp(full.port), mail)), "declined")

      yield* Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
      })
      const exit = yield* Effect.exit(sendBy(smtp(port, "record:hunter2@"), mail))
      if (Exit.isSuccess(exit)) return assert.fail("a server that is down has taken a mail")
      const shown = [Cause.pretty(exit.cause), inspect(exit, { depth: 10 }), JSON.stringify(exit)].join("\n")
      assert.include(shown, "A mail (recap) was not accepted: unreachable.")
      for (const secret of ["hunter2", "zoe@", "Grüße", "council"]) assert.notInclude(shown, secret)
    })
  )

  it.live("sends no credentials in the clear to another machine", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const { port } = yield* smtpServer({
        allowInsecureAuth: true,
        onAuth: ({ password }, _, done) => {
          asked.push(password ?? "")
          done(null, { user: "record" })
        }
      })
      // 0.0.0.0 reaches this machine without being one of its names.
      const layer = Mailer.layerSmtp(Redacted.make(`smtp://record:hunter2@0.0.0.0:${port}`), baseUrl)
      assert.strictEqual(yield* outcome(sendBy(layer, mail)), "insecure")
      assert.deepStrictEqual(asked, [])
    })
  )
})
