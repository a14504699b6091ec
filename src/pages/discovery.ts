import { DateTime } from "effect"
import { markdownOf } from "../page-tree/markdown.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import { addresses, isOnePage } from "./parts/addresses.ts"
import { readerTokenHeader } from "./parts/reader-token-header.ts"

/* The files by which programs find their way. `base` is the address of the service, without a slash at its end. */

const code = (words: string): Kid => el("code", {}, words)
const text = (...kids: ReadonlyArray<Kid>): Kid => el("p", {}, kids)
const link = (href: string, words: string): Kid => el("a", { href }, words)
const part = (title: string, ...kids: ReadonlyArray<Kid>): Kid => el("section", {}, heading(title), kids)
const points = (items: ReadonlyArray<Kid>): Kid =>
  el(
    "ul",
    {},
    items.map((item) => el("li", {}, item))
  )

/** Example questions, each with the address that answers it; `{…}` stands for the caller's own values. */
const questions: ReadonlyArray<readonly [question: string, path: string]> = [
  ["Which meetings spoke of something?", "/md/browse?q={words}"],
  ["In one place only?", "/md/browse?q={words}&place_slug={place}"],
  ["Before one public body, in one year?", "/md/browse?q={words}&agency_slug={body}&year={year}"],
  ["What is this place, body, address or ZIP code called here?", "/md/places?q={name}"],
  ["Which ordinances and resolutions are about something, and what became of them?", "/api/matters?q={words}"],
  ["What meets next in a place?", "/md/upcoming?place_slug={place}"],
  ["What is new in all this, as a feed?", "/browse.atom?q={words}&place_slug={place}"],
  ["The same as JSON?", "/api/meetings/browse?q={words}&place_slug={place}&page_size=20&page=1"]
]

/** `/llms.txt` (llmstxt.org): every page, and how to search. */
export const llmsText = (base: string): string =>
  markdownOf(
    [
      heading("Civic Record"),
      el(
        "blockquote",
        {},
        text(
          "The public record of local government: meetings of councils, boards and commissions, with agendas, transcripts, checked briefings and clips."
        )
      ),
      text(
        "Every page is Markdown after ",
        code("/md"),
        " or with ",
        code("Accept: text/markdown"),
        ", and most are JSON. Searching needs no account. Cite a meeting by the address of its page. It is not a government site, and not the official minutes."
      ),
      part(
        "Pages",
        points(
          addresses.map((address) => {
            const path = `/md${address.path}`
            return [
              isOnePage(address) ? link(path, address.title) : [address.title, " (", code(base + path), ")"],
              `: ${address.says}`,
              address.json !== undefined && [" JSON: ", code(address.json)],
              address.feed !== undefined && [" Atom: ", code(address.feed)],
              address.calendar !== undefined && [" iCalendar: ", code(address.calendar)]
            ]
          })
        )
      ),
      part("How to ask", points(questions.map(([question, path]) => [question, " ", code(base + path)]))),
      part(
        "More",
        points([
          [link("/openapi.json", "OpenAPI description"), ": every operation of the API."],
          [
            code(`${base}/mcp`),
            ": a Model Context Protocol server (streamable HTTP) for search, browsing and the directory and, with a reader's token or a share link, for decisions, votes, words and quotes."
          ],
          [link("/auth.md", "Signing in"), ": what needs an account, and how a person gets one."],
          [link("/sitemap.xml", "Sitemap"), ": every place, body and meeting, with its last change."],
          [link("/.well-known/api-catalog", "API catalog"), ": the same links as a linkset (RFC 9727)."]
        ])
      )
    ],
    `${base}/llms.txt`
  )

/** `/auth.md`: signing in, for agents. */
export const authText = (base: string): string =>
  markdownOf(
    [
      heading("Signing in to Civic Record"),
      text(
        "Most of the record needs no account: lists, search, agendas, published clips and the teaser of each meeting. Transcripts, whole briefings and recordings need a session or a share grant; without one the API answers 401 with ",
        code("sign_in_required"),
        "."
      ),
      part(
        "A session",
        text(
          "A person signs in with a browser at ",
          link("/signin", `${base}/signin`),
          ". Accounts are free and open to everyone, and the first sign-in makes one. The browser then holds the cookie ",
          code("cr_session"),
          ", which lasts 30 days from its last use. An agent that works for this person, with their consent, sends that cookie."
        ),
        text(
          "No program can register or sign in by itself. If you need more than the teaser, ask the person to sign in."
        )
      ),
      part(
        "A share grant",
        text(
          "A reader can share one meeting with ",
          code("GET /api/meetings/{id}/share"),
          ". The grant lasts 14 days. Send it as ",
          code("?st={token}"),
          " with requests for that meeting, or redeem it once with ",
          code("POST /api/share/redeem"),
          ", which sets the cookie ",
          code("cr_share"),
          "."
        )
      ),
      part(
        "A token for a program, at /mcp",
        text(
          "A reader makes a token for an assistant at ",
          link("/account/tokens", `${base}/account/tokens`),
          ". It begins with ",
          code("cr_reader_"),
          ", is shown once, only reads, and works until the reader revokes it. Send it to ",
          code(`${base}/mcp`),
          " in the header ",
          code(readerTokenHeader),
          ". The API does not take it; there, use the session or a share grant. Without a token, the tool ",
          code("read_meeting"),
          " takes a share grant as ",
          code("share_token"),
          " and does not redeem it."
        )
      ),
      part(
        "What there is not",
        text(
          "There is no OAuth authorization server, no token endpoint, no client registration, and there are no API keys. Bearer tokens are for operators and open nothing here."
        )
      )
    ],
    `${base}/auth.md`
  )

/** `/robots.txt` (RFC 9309): everything public may be read, and all of it is in the sitemap. */
export const robotsText = (base: string): string => `User-agent: *\nAllow: /\n\nSitemap: ${base}/sitemap.xml\n`

/** Days for which `/.well-known/security.txt` stands; RFC 9116 wants less than a year. */
const securityDays = 90

/** `/.well-known/security.txt` (RFC 9116): whom to tell of a weakness. It stands for 90 days after it is read. */
export const securityText = (base: string, contact: string, now: DateTime.Utc): string =>
  [
    `Contact: mailto:${contact}`,
    `Expires: ${DateTime.formatIsoDateUtc(DateTime.add(now, { days: securityDays }))}T00:00:00Z`,
    "Preferred-Languages: en",
    `Canonical: ${base}/.well-known/security.txt`,
    ""
  ].join("\n")

/** `/.well-known/api-catalog` (RFC 9727): where the API is, and what describes it, as a linkset (RFC 9264). */
export const apiCatalog = (base: string) => ({
  linkset: [
    {
      anchor: `${base}/.well-known/api-catalog`,
      item: [{ href: `${base}/api`, type: "application/json", title: "Civic Record API" }]
    },
    {
      anchor: `${base}/api`,
      "service-desc": [{ href: `${base}/openapi.json`, type: "application/json" }],
      "service-doc": [
        { href: `${base}/developers`, type: "text/html" },
        { href: `${base}/md/developers`, type: "text/markdown" },
        { href: `${base}/auth.md`, type: "text/markdown" }
      ],
      "service-meta": [{ href: `${base}/llms.txt`, type: "text/plain" }],
      status: [{ href: `${base}/health`, type: "application/json" }]
    }
  ]
})
