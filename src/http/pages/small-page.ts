import { HttpServerResponse } from "effect/http"
import escapeHtml from "escape-html"
import { pages } from "../../pages/one-card.ts"

const { html, policy } = pages(`
main { max-width: 28rem; }
main:has(video) { max-width: 54rem; }
p:last-child { margin: 0; }
video { display: block; width: 100%; height: auto; margin: 0 0 1rem; background: #000; border-radius: .25rem; }
a { color: inherit; }
a.button, button { display: block; width: 100%; min-height: 2.75rem; padding: .5rem 1rem; text-align: center; text-decoration: none; font: inherit; font-weight: 600; color: var(--on-deed); background: var(--deed); border: 1px solid var(--deed); border-radius: .25rem; cursor: pointer; }
a.button + a.button { margin-top: .75rem; }
`)

/** What a page may do besides being read: send a form, or play media from this origin. */
interface Allowances {
  readonly forms?: boolean
  readonly media?: boolean
}

/** No script, and nothing loaded except what is allowed. No `Referer` leaves it, because its address carries a secret. */
const headers = (status: number, { forms, media }: Allowances) => ({
  "cache-control": status < 400 ? "private, no-store" : "no-store",
  "content-security-policy": policy(
    ...(media ? ["media-src 'self'"] : []),
    `form-action ${forms ? "'self'" : "'none'"}`
  ),
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex"
})

/** A one-card page, for what is not a page of the record. `main` is HTML that follows the title, already escaped. */
export const smallPage = (
  { status = 200, title, main }: { readonly status?: number; readonly title: string; readonly main: string },
  allowances: Allowances = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(html(title, main), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: headers(status, allowances)
  })

/** A link that looks like a button: what a person can do next. */
export const linkButton = (href: string, text: string): string =>
  `<a class="button" href="${escapeHtml(href)}">${escapeHtml(text)}</a>`
