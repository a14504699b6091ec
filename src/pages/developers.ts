import { Effect } from "effect"
import { Environment } from "../../layers/config/config.ts"
import { mostInSearch } from "../../schema/search-budget.ts"
import { longestUserClip, mostUserClips } from "../../schema/user-clip.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import { Browse } from "../services/search/browse.ts"
import type { Load, Page } from "./page.ts"
import { type Address, addresses, isOnePage } from "./parts/addresses.ts"
import { errorTable } from "./parts/error-table.ts"
import { readerTokenHeader } from "./parts/reader-token-header.ts"
import { number } from "./said.ts"

interface DevelopersView {
  /** The address of the service, without a trailing slash. */
  readonly base: string
  /** The id of an example meeting; one with a transcript, if any has one. */
  readonly meeting: string | undefined
  /** Public reads per minute for one address. */
  readonly readsPerMinute: number
}

const part = (id: string, title: string, ...kids: ReadonlyArray<Kid>): Kid =>
  el("section", { class: "part", "aria-labelledby": id }, heading(el("span", { id }, title)), kids)

const text = (...kids: ReadonlyArray<Kid>): Kid => el("p", {}, kids)
const code = (words: string): Kid => el("code", {}, words)
const points = (...items: ReadonlyArray<Kid>): Kid =>
  el(
    "ul",
    { class: "points" },
    items.map((item) => el("li", {}, item))
  )

const subscriptions = ({ feed, calendar }: Address): Kid =>
  feed === undefined ? "none" : [code(feed), calendar !== undefined && [" ", code(calendar)]]

const requests = ({ base, meeting = "{id}" }: DevelopersView): Kid => {
  const task = (title: string, command: string, ...after: ReadonlyArray<Kid>): Kid =>
    el("section", {}, heading(title), el("pre", { tabindex: 0 }, command), after.length > 0 && text(...after))
  return part(
    "requests",
    "Requests to paste",
    task(
      "Search",
      `curl "${base}/api/meetings/browse?q=greenway+or+water&page_size=5"`,
      "A search finds meetings that have all its words. ",
      code("or"),
      " finds either side, quotes find a phrase, and a minus sign leaves out a word. ",
      code('speaker:"Ada Marsh"'),
      ", ",
      code("body:"),
      ", ",
      code("place:"),
      ", ",
      code("person:"),
      ", ",
      code("matter:"),
      ", ",
      code("document:"),
      ", ",
      code("after:2025"),
      " and ",
      code("before:2026-07"),
      " say where, at whom and when to look. Each meeting lists where in the recording the words were said, and on which pages of its documents they stand. ",
      code("Link"),
      " leads to the next page, and ",
      code("facets"),
      " gives the values to filter by."
    ),
    task(
      "One meeting",
      `curl "${base}/api/meetings/${meeting}"`,
      code("links"),
      " lists what you can fetch next with the credential that you sent."
    ),
    task(
      "Its transcript as WebVTT",
      `curl -H "Cookie: cr_session=$CR_SESSION" "${base}/api/meetings/${meeting}/transcript?format=vtt"`,
      "Needs a session: sign in with a browser, and put the value of the cookie ",
      code("cr_session"),
      " into the variable ",
      code("CR_SESSION"),
      ". Other formats are ",
      code("json"),
      ", ",
      code("srt"),
      " and ",
      code("txt"),
      "."
    ),
    task(
      "What changes, as it changes",
      `curl -N "${base}/api/meetings/stream"`,
      "Server-sent events: ",
      code("meeting.published"),
      ", ",
      code("meeting.updated"),
      " and ",
      code("meeting.removed"),
      ". To continue after a break, send the last ",
      code("id"),
      " as ",
      code("Last-Event-ID"),
      "."
    ),
    task(
      "A copy of the record, kept up to date",
      `curl "${base}/api/meetings/browse?sort=oldest&page_size=100&status=held&status=upcoming&status=cancelled"`,
      "While the answer has an ",
      code("after"),
      ", send it as ",
      code("after"),
      " with the same parameters: no meeting is passed over, whatever changes meanwhile. Next time add the ",
      code("as_of"),
      " of the first page as ",
      code("updated_since"),
      ": you get what changed since, and in ",
      code("removed"),
      " what to delete."
    ),
    task("Any page as Markdown", `curl -H "Accept: text/markdown" "${base}/browse?q=water"`),
    task("The same, without a header", `curl "${base}/md/browse?q=water"`)
  )
}

const forms: Kid = part(
  "forms",
  "Every page in three forms",
  text(
    "Put ",
    code("/md"),
    " before the path of any page, or ask for ",
    code("text/markdown"),
    ". The JSON column is the operation with the same facts. A feed (",
    code(".atom"),
    ") lists what is new and has up to 50 entries a page; it accepts every parameter of browse. A calendar (",
    code(".ics"),
    ") has what was held in the last 90 days and all that is announced, cancelled meetings included; ",
    code("/upcoming.ics"),
    " has what is announced, by the filters of its page."
  ),
  el(
    "div",
    { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Pages" },
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el("tr", {}, ...["Page", "Address", "JSON", "Subscription"].map((name) => el("th", { scope: "col" }, name)))
      ),
      el(
        "tbody",
        {},
        addresses.map((address) =>
          el(
            "tr",
            {},
            el("td", {}, address.title),
            el("td", {}, isOnePage(address) ? el("a", { href: address.path }, address.path) : code(address.path)),
            el("td", {}, address.json === undefined ? "none" : code(address.json)),
            el("td", {}, subscriptions(address))
          )
        )
      )
    )
  )
)

const access: Kid = part(
  "access",
  "How access works",
  points(
    [
      el("strong", {}, "Without an account"),
      ": lists, search, agendas, published clips and the teaser of each meeting, marked ",
      code('"gated": true'),
      "."
    ],
    [
      el("strong", {}, "With a session"),
      ": every transcript, briefing and recording. Accounts are free. A person signs in at ",
      el("a", { href: "/signin" }, "/signin"),
      "; the cookie ",
      code("cr_session"),
      " lasts 30 days from its last use."
    ],
    [
      el("strong", {}, "With a share grant"),
      ": one meeting, for 14 days. A reader gets one from ",
      code("GET /api/meetings/{id}/share"),
      "; send it as ",
      code("?st="),
      ", or redeem it once with ",
      code("POST /api/share/redeem"),
      " for a cookie."
    ],
    [
      el("strong", {}, "With a token for a program"),
      ": what its reader may read, only at ",
      code("/mcp"),
      ". A reader makes and revokes it at ",
      el("a", { href: "/account/tokens" }, "/account/tokens"),
      "."
    ]
  ),
  text(
    "There are no API keys, and there is no OAuth server. ",
    el("a", { href: "/auth.md" }, "How agents sign in"),
    "."
  )
)

const limits = ({ readsPerMinute }: DevelopersView): Kid =>
  part(
    "limits",
    "Limits",
    points(
      [
        `${number(readsPerMinute)} public reads per minute from one address. `,
        code("RateLimit"),
        " says how many are left; past the limit the answer is 429 with ",
        code("Retry-After"),
        "."
      ],
      ["A request body is JSON of at most 64 KB. A field that an operation does not know is refused by name."],
      [
        `A search has at most ${mostInSearch.words} words and ${mostInSearch.phrases} phrases, each of at most ${mostInSearch.words_of_phrase} words, and five seconds.`
      ],
      [
        `A clip is at most ${longestUserClip} seconds long, and an account has at most ${mostUserClips} of one meeting.`
      ],
      ["A signed media address works for six hours. Ask for a new one; do not build or store them."]
    )
  )

const elsewhere: Kid = part(
  "elsewhere",
  "In assistants and on other sites",
  points(
    [
      el("strong", {}, "Assistants"),
      ": ",
      code("/mcp"),
      " is a Model Context Protocol server (streamable HTTP) with tools to search, to read a meeting and to look up places and bodies. It needs no account. For decisions, votes, words and quotes, have it send a token from ",
      el("a", { href: "/account/tokens" }, "your account"),
      " in the header ",
      code(readerTokenHeader),
      ", or give it a share link."
    ],
    [
      el("strong", {}, "Clips on other sites"),
      ": ",
      code("/oembed?url="),
      " with the link of a clip, shared or published, gives the frame that shows it, with captions (oEmbed, as JSON, or as XML with ",
      code("format=xml"),
      "). No other page may be framed."
    ]
  )
)

const errors: Kid = part(
  "errors",
  "Errors",
  text(
    "Every error is a JSON object with three strings: ",
    code("error"),
    ", a code for programs; ",
    code("message"),
    ", what is wrong and in which field; ",
    code("hint"),
    ", the exact next step."
  ),
  el("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": "Errors" }, errorTable)
)

/** `/developers`: how programs read the record. */
const developersPage = (view: DevelopersView): Page => ({
  head: {
    title: "For developers",
    description: "The whole record as JSON and Markdown: requests to paste, limits, errors, and how access works.",
    path: "/developers",
    access: "open",
    current: "developers",
    json: "/api"
  },
  main: el(
    "div",
    { class: "wide top narrow manual" },
    heading("For developers"),
    el(
      "p",
      { class: "lede" },
      "Everything on this site is also JSON and Markdown. Reading needs no key. The API is described in ",
      el("a", { href: "/openapi.json" }, "openapi.json"),
      ", shown in the ",
      el("a", { href: "/developers/reference" }, "API reference"),
      ", and the site is described in ",
      el("a", { href: "/llms.txt" }, "llms.txt"),
      "."
    ),
    requests(view),
    forms,
    elsewhere,
    access,
    limits(view),
    errors
  )
})

export const loadDevelopers: Load<Browse | Environment> = Effect.fn("DevelopersPage.load")(function* () {
  const { baseUrl, publicReadLimit } = yield* Environment
  const { meetings } = yield* (yield* Browse).search({ page_size: 20 })
  const meeting = meetings.find(({ has }) => has.transcript) ?? meetings[0]
  return developersPage({ base: baseUrl, meeting: meeting?.id, readsPerMinute: publicReadLimit })
})
