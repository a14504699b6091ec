import { Effect } from "effect"
import { Environment } from "../../layers/config/config.ts"
import { mostInSearch } from "../../schema/search-budget.ts"
import { longestUserClip, mostUserClips } from "../../schema/user-clip.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import { Browse } from "../services/search/browse.ts"
import type { Load, Page } from "./page.ts"
import { type Address, addresses, isOnePage } from "./parts/addresses.ts"
import { code, type DevelopersView, part, points, requests, text } from "./parts/developer-requests.ts"
import { errorTable } from "./parts/error-table.ts"
import { readerTokenHeader } from "./parts/reader-token-header.ts"
import { number } from "./said.ts"

const subscriptions = ({ feed, calendar }: Address): Kid =>
  feed === undefined ? "none" : [code(feed), calendar !== undefined && [" ", code(calendar)]]

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
