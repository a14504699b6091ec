import { createHash } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import escapeHtml from "escape-html"

const style = `
:root { color-scheme: light dark; --ink: #1a1f24; --paper: #f5f6f4; --card: #fff; --line: #747c84; --deed: #14532d; --on-deed: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9ecee; --paper: #14181b; --card: #1d2327; --line: #8b949c; --deed: #86d6a3; --on-deed: #0c2415; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; padding: 1rem; display: grid; place-items: center; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: clamp(1rem, 6vw, 2rem); background: var(--card); border: 1px solid var(--line); border-radius: .5rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
a { display: block; min-height: 2.75rem; padding: .5rem 1rem; text-align: center; text-decoration: none; font-weight: 600; color: var(--on-deed); background: var(--deed); border-radius: .25rem; }
:focus-visible { outline: 3px solid var(--deed); outline-offset: 2px; }
`

/** No script, nothing loaded; and the address of the page, which carries a code and a state, is told to nobody. */
const headers = {
  "cache-control": "no-store",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; "),
  "referrer-policy": "no-referrer"
}

/** What a browser is shown where a sign-in failed: what happened, and the one link that leads on. */
export const signInFailedPage = (options: {
  readonly status: number
  readonly title: string
  readonly text: string
  readonly link: { readonly href: string; readonly text: string }
}): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(options.title)} · Civic Record</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(options.title)}</h1>
<p role="alert">${escapeHtml(options.text)}</p>
<a href="${escapeHtml(options.link.href)}">${escapeHtml(options.link.text)}</a>
</main>
</body>
</html>
`,
    { status: options.status, contentType: "text/html; charset=utf-8", headers }
  )
