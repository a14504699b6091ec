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
main { width: 100%; max-width: 28rem; padding: clamp(1rem, 6vw, 2rem); background: var(--card); border: 1px solid var(--line); border-radius: .5rem; overflow-wrap: anywhere; }
main:has(video) { max-width: 54rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
p:last-child { margin: 0; }
video { display: block; width: 100%; height: auto; margin: 0 0 1rem; background: #000; border-radius: .25rem; }
a { color: inherit; }
a.deed, button { display: block; width: 100%; min-height: 2.75rem; padding: .5rem 1rem; text-align: center; text-decoration: none; font: inherit; font-weight: 600; color: var(--on-deed); background: var(--deed); border: 1px solid var(--deed); border-radius: .25rem; cursor: pointer; }
a.deed + a.deed { margin-top: .75rem; }
:focus-visible { outline: 3px solid var(--deed); outline-offset: 2px; }
`

const styleHash = createHash("sha256").update(style).digest("base64")

/** What a page may do beyond being read: send a form, or play what this origin serves. */
interface Allowances {
  readonly forms?: boolean
  readonly media?: boolean
}

/** No script, and nothing loaded but what is allowed; its address, which carries a secret, is told to nobody. */
const headers = (status: number, { forms, media }: Allowances) => ({
  "cache-control": status < 400 ? "private, no-store" : "no-store",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ...(media ? ["media-src 'self'"] : []),
    `form-action ${forms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
    "base-uri 'none'"
  ].join("; "),
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex"
})

/** A page of one card, for what is not a page of the record. `main` is HTML that follows the title, escaped already. */
export const smallPage = (
  { status = 200, title, main }: { readonly status?: number; readonly title: string; readonly main: string },
  allowances: Allowances = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Civic Record</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`,
    { status, contentType: "text/html; charset=utf-8", headers: headers(status, allowances) }
  )

/** What a person may do next. */
export const deed = (href: string, text: string): string =>
  `<a class="deed" href="${escapeHtml(href)}">${escapeHtml(text)}</a>`
