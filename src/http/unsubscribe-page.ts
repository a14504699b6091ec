import { createHash } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import escapeHtml from "escape-html"
import type { MailingList } from "../../schema/account.ts"

const style = `
:root { color-scheme: light dark; --ink: #1a1f24; --paper: #f5f6f4; --card: #fff; --line: #747c84; --deed: #14532d; --on-deed: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9ecee; --paper: #14181b; --card: #1d2327; --line: #8b949c; --deed: #86d6a3; --on-deed: #0c2415; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; padding: 1rem; display: grid; place-items: center; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 28rem; padding: clamp(1rem, 6vw, 2rem); background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
button { width: 100%; min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; color: var(--on-deed); background: var(--deed); border: 1px solid var(--deed); border-radius: .25rem; cursor: pointer; }
a { color: inherit; display: inline-block; padding: .5rem 0; }
:focus-visible { outline: 3px solid var(--deed); outline-offset: 2px; }
`

/** The address holds the token, so it is told to nobody that the page leads to. */
const headers = {
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; "),
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex"
}

const page = (title: string, body: string) =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Civic Record</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`,
    { contentType: "text/html; charset=utf-8", headers }
  )

const named: Readonly<Record<MailingList, string>> = {
  recaps: "recaps of the meetings that you follow",
  saved_searches: "what your saved searches find",
  all: "recaps of meetings and what your saved searches find"
}

/** Asks; the same for everyone who holds the link, and it says nothing of whose mail it is. */
export const askPage = (list: MailingList, token: string) =>
  page(
    "Unsubscribe",
    `<p>Civic Record will no longer mail you ${named[list]}.</p>
<form method="post" action="?t=${escapeHtml(encodeURIComponent(token))}">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button>Unsubscribe</button>
</form>`
  )

/** Says that it is done; again it says the same. */
export const donePage = (list: MailingList) =>
  page(
    "You are unsubscribed",
    `<p role="status">Civic Record no longer mails you ${named[list]}.</p>
<p>If you change your mind, sign in and turn it on again in your account.</p>
<p><a href="/">Go to Civic Record</a></p>`
  )
