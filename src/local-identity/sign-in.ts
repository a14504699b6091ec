import { createHash } from "node:crypto"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Console, Effect, Option, Redacted, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse, UrlParams } from "effect/http"
import type { InteractionResults, Provider } from "oidc-provider"
import { LocalPasswords } from "../../layers/identity/local-identity.ts"
import { Mailer } from "../../layers/mailer.ts"
import { RateLimits, type RatePolicy } from "../../layers/rate-limits.ts"
import { Email, emailKey } from "../../schema/email.ts"
import { clientNetwork } from "../http/client-network.ts"
import { codeMail } from "../services/accounts/code-mail.ts"
import { makeCodes, newCode } from "./codes.ts"
import { codePage, emailPage, pageHeaders, passwordPage, strandedPage } from "./pages.ts"

const signInMail = {
  kind: "sign_in_code",
  subject: "Your Civic Record sign-in code",
  use: "sign in to Civic Record"
} as const

/** How many codes may be sent, or passwords tried, in 15 minutes: per mailbox, and per network address. */
const allowances = (what: string): { readonly mailbox: RatePolicy; readonly address: RatePolicy } => ({
  mailbox: { name: `local-identity-${what}-mailbox`, limit: 5, windowSeconds: 900 },
  address: { name: `local-identity-${what}-address`, limit: 20, windowSeconds: 900 }
})
const codeAllowance = allowances("codes")
const passwordAllowance = allowances("passwords")

/** Surrounding white space is removed. The code shows whose address it is, if anybody's. */
const readEmail = (typed: string): Email | undefined => {
  const email = typed.trim()
  return Schema.is(Email)(email) ? email : undefined
}

/**
 * The subject by which the client knows a person: the same for every spelling of one address, on every machine,
 * forever.
 */
const subjectOf = (email: Email): string =>
  createHash("sha256")
    .update(`civic-record/local-identity/1:${emailKey(email)}`)
    .digest("base64url")

/** One request of a sign-in in progress. */
interface Step {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly uid: string
  /** The path of the sign-in, under which its forms are posted. */
  readonly at: string
  readonly sent: (field: string) => string
}

const notTaken = {
  wrong: "That is not the right code. Enter the 6 digits from the latest mail.",
  expired: "That code has expired. Request a new one.",
  spent: "Too many wrong codes. Request a new one."
} as const
const tooMany = "Too many attempts. Wait 15 minutes, then try again."

/**
 * The pages of a sign-in, at `/interaction/{uid}`, with their forms below it. A request without the cookie of that
 * sign-in, or after its end, is told to start again; a form from another origin is refused. Nothing here reveals
 * whether an address has an account.
 */
export const makeSignIn = Effect.fnUntraced(function* (options: {
  readonly provider: Provider
  readonly issuer: string
  readonly serviceUrl: string
  /** Called with the person who signed in, before the client learns of it. */
  readonly remember: (subject: string, email: Email) => Effect.Effect<unknown>
}) {
  const codes = yield* makeCodes
  const mailer = yield* Mailer
  const limits = yield* RateLimits
  const { passwordOf } = yield* LocalPasswords
  const headers = pageHeaders(options.serviceUrl)

  const shown = (html: string, status = 200) =>
    HttpServerResponse.text(html, { status, headers, contentType: "text/html; charset=utf-8" })
  const led = (location: string) => HttpServerResponse.redirect(location, { status: 303, headers })

  const end = ({ request }: Step, result: InteractionResults) =>
    Effect.promise(() =>
      options.provider.interactionResult(
        NodeHttpServerRequest.toIncomingMessage(request),
        NodeHttpServerRequest.toServerResponse(request),
        result,
        { mergeWithLastSubmission: false }
      )
    ).pipe(Effect.map(led))

  const signedIn = (step: Step, email: Email, amr: "otp" | "pwd") =>
    Effect.andThen(
      options.remember(subjectOf(email), email),
      end(step, { login: { accountId: subjectOf(email), remember: false, amr: [amr] } })
    )

  const isAllowed = Effect.fnUntraced(function* (
    { request }: Step,
    email: Email,
    allowance: ReturnType<typeof allowances>
  ) {
    const standing = yield* limits.consume(allowance.address, clientNetwork(request.remoteAddress))
    return standing.allowed && (yield* limits.consume(allowance.mailbox, subjectOf(email))).allowed
  })

  const sendCode = Effect.fnUntraced(function* ({ uid }: Step, email: Email) {
    const code = yield* newCode
    yield* mailer.send(codeMail({ to: email, ...signInMail }, code, options.serviceUrl))
    yield* codes.expect(uid, email, code)
    // On the terminal, never in a log, and without the address (contract section 5).
    if (mailer.isOutbox) yield* Console.log(`  Sign-in code: ${code} (its mail is in the outbox)`)
  })

  const takeEmail = Effect.fnUntraced(function* (step: Step) {
    const typed = step.sent("email")
    const email = readEmail(typed)
    if (email === undefined) {
      const text = "That is not an e-mail address. Enter one such as name@example.org."
      return shown(emailPage(step.at, typed, { text, field: "email" }), 422)
    }
    if (!(yield* isAllowed(step, email, codeAllowance))) return shown(emailPage(step.at, typed, { text: tooMany }), 429)
    return yield* sendCode(step, email).pipe(
      Effect.as(led(step.at)),
      Effect.catchTag("MailRefused", ({ reason }) =>
        Effect.as(
          Effect.logWarning("A sign-in code could not be sent").pipe(Effect.annotateLogs("reason", reason)),
          shown(emailPage(step.at, typed, { text: "The code could not be sent. Try again in a minute." }), 503)
        )
      )
    )
  })

  const takeCode = Effect.fnUntraced(function* (step: Step) {
    const email = codes.emailOf(step.uid)
    if (email === undefined) return led(step.at)
    const outcome = yield* codes.check(step.uid, step.sent("code").replace(/[\s-]/g, ""))
    if (outcome === "right") return yield* signedIn(step, email, "otp")
    yield* Effect.logWarning("A sign-in code was refused").pipe(Effect.annotateLogs("reason", outcome))
    return shown(codePage(step.at, email, { text: notTaken[outcome], field: "code" }), 422)
  })

  const takePassword = Effect.fnUntraced(function* (step: Step) {
    const email = codes.emailOf(step.uid)
    if (email === undefined) return led(step.at)
    if (!(yield* isAllowed(step, email, passwordAllowance))) {
      return shown(passwordPage(step.at, email, { text: tooMany }), 429)
    }
    if (yield* passwordOf(email, Redacted.make(step.sent("password")))) return yield* signedIn(step, email, "pwd")
    yield* Effect.logWarning("A password was refused at sign-in")
    const text = "That is not the right password for this address."
    return shown(passwordPage(step.at, email, { text, field: "password" }), 422)
  })

  const forms: Readonly<Record<string, (step: Step) => Effect.Effect<HttpServerResponse.HttpServerResponse>>> = {
    email: takeEmail,
    code: takeCode,
    password: takePassword,
    cancel: (step) => end(step, { error: "access_denied", error_description: "The sign-in was canceled" })
  }

  const opened = (at: string, uid: string, wanted: string | null) => {
    const email = codes.emailOf(uid)
    if (email === undefined || wanted === "email") return emailPage(at, email ?? "")
    return wanted === "password" ? passwordPage(at, email) : codePage(at, email)
  }

  /** Whether the sign-in belongs to the browser that asks, according to the provider's signed cookie. */
  const isUnderWay = (request: HttpServerRequest.HttpServerRequest, uid: string) =>
    Effect.tryPromise(() =>
      options.provider.interactionDetails(
        NodeHttpServerRequest.toIncomingMessage(request),
        NodeHttpServerRequest.toServerResponse(request)
      )
    ).pipe(
      Effect.map((details) => details.uid === uid),
      Effect.orElseSucceed(() => false)
    )

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const url = new URL(request.url, options.issuer)
    const [, uid = "", name = ""] = /^\/interaction\/([\w-]{1,64})(?:\/(\w+))?$/.exec(url.pathname) ?? []
    const at = `/interaction/${uid}`
    const form = forms[name]
    if (uid === "" || (name !== "" && form === undefined)) return shown(strandedPage(options.serviceUrl), 404)
    if (!(yield* isUnderWay(request, uid))) return shown(strandedPage(options.serviceUrl), 400)
    if (form === undefined) return shown(opened(at, uid, url.searchParams.get("with")))
    // A form's address, reloaded as a page.
    if (request.method !== "POST") return led(at)
    if (!isOwnForm(request, options.issuer)) return shown(strandedPage(options.serviceUrl), 403)
    const body = yield* request.urlParamsBody.pipe(Effect.orElseSucceed(() => UrlParams.empty))
    const sent = (field: string) => Option.getOrElse(UrlParams.getFirst(body, field), () => "")
    return yield* form({ request, uid, at, sent })
  })
})

/** Every browser sends a form's origin. A client that does not is not a browser, and sends only its own cookies. */
const isOwnForm = ({ headers }: HttpServerRequest.HttpServerRequest, issuer: string): boolean => {
  const site = headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin" || site === "none"
  return headers.origin === undefined || headers.origin === issuer
}
