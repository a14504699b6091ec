import { randomBytes, randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import { isIP } from "node:net"
import * as path from "node:path"
import { Context, Data, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { Environment } from "./config.ts"
import { isLoopback } from "./loopback.ts"

/** One person's mailbox; `name` as a person writes it, in any script. */
interface Recipient {
  readonly name?: string
  readonly address: string
}

/** One mail to one person. */
export interface Mail {
  readonly to: string | Recipient
  readonly subject: string
  readonly text: string
  readonly html: string
  /** A UUID, for a mail that may be handed over twice: both then have one Message-ID. */
  readonly id?: string
  /** What it is for, such as `sign_in_code`: sent as `X-Civic-Record-Kind`, and the one thing that logs and spans say. */
  readonly kind: string
  /** Where one click ends mails of this kind (RFC 8058): an https address that a POST answers. */
  readonly listUnsubscribe?: { readonly url: string }
  /** Further headers, named by the service itself. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A mail that was not taken. `recipient`: the address is none, or the server will not have it; `unreachable`: nobody
 * answers; `insecure`: the server offers no TLS that can be trusted; `credentials`: it does not accept ours; `declined`:
 * it answered, and not with yes; `outbox`: the folder cannot be written. Nothing in it tells the address, what was
 * written, or the server's credentials.
 */
export class MailRefused extends Data.TaggedError("MailRefused")<{
  readonly kind: string
  readonly reason: "recipient" | "unreachable" | "insecure" | "credentials" | "declined" | "outbox"
}> {
  override get message() {
    return `A mail (${this.kind}) was not taken: ${this.reason}.`
  }
}

/** Sends mail: by `SMTP_URL`, and without it into the folder `outbox` of DATA_DIR (contract section 10). */
export class Mailer extends Context.Service<
  Mailer,
  {
    /** Whether mails stay on this machine, as files that its owner reads. */
    readonly isOutbox: boolean
    /** Hands over one mail; done once the server, or the disk, has it. */
    readonly send: (mail: Mail) => Effect.Effect<void, MailRefused>
  }
>()("civic-record/Mailer") {
  /** By an SMTP server, over up to five connections that are kept. */
  static readonly layerSmtp = (url: Redacted.Redacted, baseUrl: string) =>
    Layer.effect(
      Mailer,
      Effect.gen(function* () {
        const { hostname, username } = new URL(Redacted.value(url))
        const transport = yield* Effect.acquireRelease(
          Effect.sync(() =>
            createTransport({
              pool: true,
              url: Redacted.value(url),
              // Credentials never cross a wire in the clear; whoever must, says `?requireTLS=false` in the address.
              requireTLS: username !== "" && !isLoopback(hostname),
              connectionTimeout: 10_000,
              greetingTimeout: 10_000,
              dnsTimeout: 10_000,
              socketTimeout: 30_000,
              ...contentOfOurs
            })
          ),
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
   * Into a folder: a file a mail, complete (RFC 5322), for its owner only, there whole or not at all. Names sort by
   * the time of sending.
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

/** A mail is what it was given, never a file or an address that a text in it names. */
const contentOfOurs = { disableFileAccess: true, disableUrlAccess: true } as const

/** The library's codes; what is not here never reached a server that answers. */
const reasons: Readonly<Record<string, MailRefused["reason"]>> = {
  EENVELOPE: "recipient",
  ETLS: "insecure",
  EREQUIRETLS: "insecure",
  EAUTH: "credentials",
  ENOAUTH: "credentials",
  EMESSAGE: "declined",
  EPROTOCOL: "declined"
}

/** One mailbox and nothing else: no list, no comment, no quoted name, and nothing that ends a header. */
const mailbox = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,255}$/u

/** A header is one line, whatever its text came from. */
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
    // RFC 3834: no holiday notice answers it.
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
  // An address literal is no domain of a mailbox that anybody could write to.
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
        // The library's own errors hold the conversation with the server.
        catch: (cause) => new MailRefused({ kind: mail.kind, reason: post.reasonOf(codeOf(cause)) })
      })
    })
  }
}

const codeOf = (cause: unknown): { readonly code?: string } =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? { code: cause.code } : {}
