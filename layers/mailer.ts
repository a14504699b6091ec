import { randomBytes, randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import { isIP } from "node:net"
import * as path from "node:path"
import { Context, Data, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { Environment } from "./config/config.ts"
import { isLoopback } from "./networks/host.ts"

/** One person's mailbox; `name` is the display name, in any script. */
interface Recipient {
  readonly name?: string
  readonly address: string
}

/** One mail to one recipient. */
export interface Mail {
  readonly to: string | Recipient
  readonly subject: string
  readonly text: string
  readonly html: string
  /** A UUID, for a mail that may be sent twice: both copies then have the same Message-ID. */
  readonly id?: string
  /**
   * The mail's purpose, such as `sign_in_code`: sent as `X-Civic-Record-Kind`, and the only part shown in logs and
   * spans.
   */
  readonly kind: string
  /** The one-click unsubscribe address (RFC 8058): https, and accepts a POST. */
  readonly listUnsubscribe?: { readonly url: string }
  /** Further headers; never taken from user input. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A mail was not accepted. `recipient`: not an address, or one that the server rejects; `unreachable`: no answer;
 * `insecure`: the server offers no trustworthy TLS; `credentials`: the server rejects ours; `declined`: any other
 * refusal; `outbox`: the folder is not writable. Never contains the address, the text or the server's credentials.
 */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly kind: string
  readonly reason: "recipient" | "unreachable" | "insecure" | "credentials" | "declined" | "outbox"
}> {
  override get message() {
    return `A mail (${this.kind}) was not accepted: ${this.reason}.`
  }
}

/** Sends mail through `SMTP_URL` or, without it, into the folder `outbox` of DATA_DIR (contract section 10). */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Whether mails stay on this machine, as files for its owner to read. */
    readonly isOutbox: boolean
    /** Sends one mail; succeeds once it is accepted by the server, or is on disk. */
    readonly send: (mail: Mail) => Effect.Effect<void, MailRefused>
  }
>()("civic-record/Mailer") {
  /** Sends through an SMTP server, over at most five pooled connections. */
  static readonly layerSmtp = (url: Redacted.Redacted, baseUrl: string) =>
    Layer.effect(
      Mailer,
      Effect.gen(function* () {
        const transport = yield* Effect.acquireRelease(
          Effect.sync(() => createTransport({ pool: true, ...smtpOptions(url), ...contentOfOurs })),
          (opened) => Effect.sync(() => opened.close())
        )
        return mailerOf({
          isOutbox: false,
          baseUrl,
          deliver: (message) => transport.sendMail(message),
          reasonOf: ({ code }) => reasons[code ?? ""] ?? "unreachable"
        })
      })
    )

  /**
   * Writes to a folder: each mail is one complete file (RFC 5322), readable only by its owner and written atomically.
   * File names sort by time.
   */
  static readonly layerOutbox = (folder: string, baseUrl: string) =>
    Layer.sync(Mailer, () => {
      const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows", ...contentOfOurs })
      return mailerOf({
        isOutbox: true,
        baseUrl,
        deliver: async (message) => {
          const { message: written } = await composer.sendMail(message)
          const name = `${message.date.toISOString().replace(/[-:.]/g, "")}-${randomBytes(6).toString("hex")}`
          const unfinished = path.join(folder, `.${name}`)
          await fs.mkdir(folder, { recursive: true, mode: 0o700 })
          await fs.writeFile(unfinished, written, { mode: 0o600, flag: "wx" })
          await fs.rename(unfinished, path.join(folder, `${name}.eml`))
        },
        reasonOf: () => "outbox"
      })
    })

  static readonly layer = Layer.unwrap(
    Effect.map(Environment, ({ smtpUrl, dataDir, baseUrl }) =>
      Option.match(smtpUrl, {
        onNone: () => Mailer.layerOutbox(path.join(dataDir, "outbox"), baseUrl),
        onSome: (url) => Mailer.layerSmtp(url, baseUrl)
      })
    )
  )
}

/**
 * Connects and signs in to a mail server without sending anything. Fails with one of `MailRefused`'s reasons, because
 * the library's own errors contain the conversation with the server.
 */
export const verifySmtp = (url: Redacted.Redacted): Effect.Effect<void, MailRefused["reason"]> =>
  Effect.acquireUseRelease(
    Effect.sync(() => createTransport({ ...smtpOptions(url), connectionTimeout: 5000, greetingTimeout: 5000 })),
    (transport) =>
      Effect.tryPromise({
        try: () => transport.verify(),
        catch: (cause) => reasons[codeOf(cause).code ?? ""] ?? "unreachable"
      }),
    (transport) => Effect.sync(() => transport.close())
  )

const smtpOptions = (url: Redacted.Redacted) => {
  const { hostname, username } = new URL(Redacted.value(url))
  return {
    url: Redacted.value(url),
    // Credentials are never sent unencrypted, unless the URL has `?requireTLS=false`.
    requireTLS: username !== "" && !isLoopback(hostname),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    dnsTimeout: 10_000,
    socketTimeout: 30_000
  }
}

/** A mail's text cannot make the library attach a file or fetch an address. */
const contentOfOurs = { disableFileAccess: true, disableUrlAccess: true } as const

/** The library's error codes; any other means that no server answered. */
const reasons: Readonly<Record<string, MailRefused["reason"]>> = {
  EENVELOPE: "recipient",
  ETLS: "insecure",
  EREQUIRETLS: "insecure",
  EAUTH: "credentials",
  ENOAUTH: "credentials",
  EMESSAGE: "declined",
  EPROTOCOL: "declined"
}

/** A single plain mailbox: no list, comment, quoted name, or anything that ends a header. */
const mailbox = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,255}$/u

/** A header is a single line, wherever its text came from. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()

const messageOf = (mail: Mail, recipient: Required<Recipient>, host: string, sentAt: Date) => ({
  from: { name: "Civic Record", address: `no-reply@${host}` },
  to: recipient,
  subject: oneLine(mail.subject),
  text: mail.text,
  html: mail.html,
  date: sentAt,
  messageId: `<${mail.id ?? randomUUID()}@${host}>`,
  headers: {
    ...mail.headers,
    // RFC 3834: suppresses out-of-office replies.
    "Auto-Submitted": "auto-generated",
    "X-Civic-Record-Kind": mail.kind,
    ...(mail.listUnsubscribe === undefined ? {} : { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" })
  },
  ...(mail.listUnsubscribe === undefined ? {} : { list: { unsubscribe: { url: mail.listUnsubscribe.url } } })
})

const mailerOf = (post: {
  readonly isOutbox: boolean
  readonly baseUrl: string
  readonly deliver: (message: ReturnType<typeof messageOf>) => Promise<unknown>
  readonly reasonOf: (failure: { readonly code?: string | undefined }) => MailRefused["reason"]
}): Mailer["Service"] => {
  const { hostname } = new URL(post.baseUrl)
  // An IP address has no mailbox that anyone can write to.
  const host = isIP(hostname.replace(/^\[|\]$/g, "")) === 0 ? hostname : "localhost"

  return {
    isOutbox: post.isOutbox,
    send: Effect.fn("Mailer.send")(function* (mail) {
      yield* Effect.annotateCurrentSpan({ kind: mail.kind })
      const { name = "", address } = typeof mail.to === "string" ? { address: mail.to } : mail.to
      if (!mailbox.test(address)) return yield* new MailRefused({ kind: mail.kind, reason: "recipient" })
      const message = messageOf(mail, { name: oneLine(name), address }, host, DateTime.toDate(yield* DateTime.now))
      yield* Effect.tryPromise({
        try: () => post.deliver(message),
        // The library's own errors contain the conversation with the server.
        catch: (cause) => new MailRefused({ kind: mail.kind, reason: post.reasonOf(codeOf(cause)) })
      })
    })
  }
}

const codeOf = (cause: unknown): { readonly code?: string } =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? { code: cause.code } : {}
