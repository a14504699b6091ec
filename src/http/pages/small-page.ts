import { HttpServerResponse } from "effect/http"
import escapeHtml from "escape-html"
import { pages } from "../../pages/one-card.ts"

const { html, policy } = pages(`
main { max-width: 28rem; }
main:has(video) { max-width: 54rem; }
p:last-child { margin: 0; }
video { display: block; width: 100%; height: auto; margin: 0 0 1rem; background: #000; border-radius: .25rem; }
a { color: inherit; }
a.deed, button { display: block; width: 100%; min-height: 2.75rem; padding: .5rem 1rem; text-align: center; text-decoration: none; font: inherit; font-weight: 600; color: var(--on-button); background: var(--button); border: 1px solid var(--button); border-radius: .25rem; cursor: pointer; }
a.deed + a.deed { margin-top: .75rem; }
`)

/** What a page may do beyond being read: send a form, or play what this origin serves. */
interface Allowances {
  readonly forms?: boolean
  readonly media?: boolean
}

/** No script, and nothing loaded but what is allowed; its address, which carries a secret, is told to nobody. */
const headers = (status: number, { forms, media }: Allowances) => ({
  "cache-control": status < 400 ? "private, no-store" : "no-store",
  "content-security-policy": policy(
    ...(media ? ["media-src 'self'"] : []),
    `form-action ${forms ? "'self'" : "'none'"}`
  ),
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex"
})

/** A page of one card, for what is not a page of the record. `main` is HTML that follows the title, escaped already. */
export const smallPage = (
  { status = 200, title, main }: { readonly status?: number; readonly title: string; readonly main: string },
  allowances: Allowances = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(html(title, main), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: headers(status, allowances)
  })

/** What a person may do next. */
export const deed = (href: string, text: string): string =>
  `<a class="deed" href="${escapeHtml(href)}">${escapeHtml(text)}</a>`
