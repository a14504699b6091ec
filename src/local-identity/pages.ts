import escapeHtml from "escape-html"
import { pages } from "./one-card.ts"

/** A complaint as a page shows it; `field` is the input at fault. */
interface Complaint {
  readonly text: string
  readonly field?: "email" | "code" | "password"
}

const { html: page, policy } = pages(`
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: .25rem; }
.code { font-size: 1.5rem; letter-spacing: .25em; font-variant-numeric: tabular-nums; }
[aria-invalid] { border: 2px solid var(--wrong); }
.wrong { color: var(--wrong); font-weight: 600; }
button { width: 100%; min-height: 2.75rem; margin-top: 1rem; padding: .5rem 1rem; font: inherit; font-weight: 600; color: var(--on-button); background: var(--button); border: 1px solid var(--button); border-radius: .25rem; cursor: pointer; }
button.plain { color: inherit; background: none; border-color: var(--line); }
a { color: inherit; display: inline-block; padding: .5rem 0; }
`)

/**
 * What a browser may do with these pages: run no script, and follow a form's redirect to the service. The referrer
 * policy is `same-origin`, because without any referrer a browser sends no origin with our own forms.
 */
export const pageHeaders = (serviceOrigin: string): Readonly<Record<string, string>> => ({
  "cache-control": "no-store",
  "content-security-policy": policy(`form-action 'self' ${serviceOrigin}`),
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff"
})

const alert = (complaint: Complaint | undefined): string =>
  complaint === undefined ? "" : `<p class="wrong" role="alert" id="wrong">${escapeHtml(complaint.text)}</p>`

/** The attributes of an input that a complaint is about. */
const marks = (complaint: Complaint | undefined, field: Complaint["field"]): string =>
  complaint?.field === field ? ' aria-invalid="true" aria-describedby="wrong"' : ""

const cancel = (at: string): string => `<form method="post" action="${at}/cancel">
<button class="plain">Cancel</button>
</form>`

/** The first page, for the address. `at` is the address of this sign-in. */
export const emailPage = (at: string, typed: string, complaint?: Complaint): string =>
  page(
    "Sign in",
    `<p>We will send a code to your e-mail address. An account is free; it is created when you first sign in.</p>
${alert(complaint)}
<form method="post" action="${at}/email">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="254" value="${escapeHtml(typed)}"${marks(complaint, "email")}>
<button>Send me a code</button>
</form>
${cancel(at)}`
  )

/** The second page, for the code. The same for every address. */
export const codePage = (at: string, email: string, complaint?: Complaint): string =>
  page(
    "Enter your code",
    `<p>We sent a 6-digit code to <strong>${escapeHtml(email)}</strong>. It is valid for 10 minutes.</p>
${alert(complaint)}
<form method="post" action="${at}/code">
<label for="code">Code</label>
<input class="code" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="12"${marks(complaint, "code")}>
<button>Sign in</button>
</form>
<form method="post" action="${at}/email">
<input type="hidden" name="email" value="${escapeHtml(email)}">
<button class="plain">Send a new code</button>
</form>
${cancel(at)}
<p><a href="${at}?with=password">Use my password instead</a><br><a href="${at}?with=email">Use another e-mail address</a></p>`
  )

/** The page for the password, if the account has set one. The same for every address. */
export const passwordPage = (at: string, email: string, complaint?: Complaint): string =>
  page(
    "Enter your password",
    `<p>Enter the password for <strong>${escapeHtml(email)}</strong>, if you have set one.</p>
${alert(complaint)}
<form method="post" action="${at}/password">
<input type="hidden" name="username" autocomplete="username" value="${escapeHtml(email)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="256"${marks(complaint, "password")}>
<button>Sign in</button>
</form>
${cancel(at)}
<p><a href="${at}">Use the code instead</a></p>`
  )

/** The page of a sign-in that cannot continue. */
export const strandedPage = (serviceUrl: string): string =>
  page(
    "This sign-in is over",
    `<p role="alert">It was completed or canceled, took too long, or was started in another browser.</p>
<p><a href="${escapeHtml(serviceUrl)}">Return to Civic Record and start again</a></p>`
  )

/** Too many sign-ins from one network. */
export const tooManyPage = (serviceUrl: string): string =>
  page(
    "Too many sign-ins",
    `<p role="alert">Sign-ins were begun too often from your network. Wait ten minutes, then begin again.</p>
<p><a href="${escapeHtml(serviceUrl)}">Go back to Civic Record</a></p>`
  )
