import { Effect, Struct } from "effect"
import { longestQuote, type QuoteCheck, type QuoteHit, QuotePageQuery } from "../../schema/quote.ts"
import { el, heading, type Kid, prose, web } from "../page-tree/tree.ts"
import { QuoteChecks } from "../services/search/quotes/quote-check.ts"
import { meetingName } from "../text/meeting-name.ts"
import type { Load, Page } from "./page.ts"
import { moment } from "./parts/card.ts"
import { queryDecoder, withQuery } from "./query.ts"
import { clock, longDate, number, plural } from "./said.ts"

interface QuoteView {
  readonly query: typeof QuotePageQuery.Type
  readonly check: QuoteCheck | undefined
  readonly signedIn: boolean
}

const verdicts: Readonly<Record<QuoteCheck["verdict"], string>> = {
  exact: "Said word for word",
  nearly: "Said in nearly these words",
  parts: "Only in parts, or with something that matters changed",
  not_found: "Not found"
}

const input = (name: string, label: string, value: string | undefined): Kid =>
  el(
    "div",
    { class: "field" },
    el("label", { for: name }, label),
    el("input", { id: name, name, type: "text", value, maxlength: 200 })
  )

const form = ({ query }: QuoteView): Kid => [
  web(
    el(
      "form",
      { class: "quote-form", action: "/quote", method: "get" },
      el(
        "div",
        { class: "field" },
        el("label", { for: "text" }, "What is somebody said to have said?"),
        el("p", { id: "text-hint", class: "note" }, "Five words or more, as they were quoted."),
        el(
          "textarea",
          { id: "text", name: "text", rows: 4, maxlength: longestQuote, "aria-describedby": "text-hint" },
          query.text
        )
      ),
      input("speaker", "Who said it, if you know", query.speaker),
      input("from", "Not before, as 2026-03-31", query.from),
      input("to", "Not after, as 2026-03-31", query.to),
      Object.entries(Struct.pick(query, ["place_slug", "agency_slug"])).map(([name, value]) =>
        el("input", { type: "hidden", name, value })
      ),
      el("button", { type: "submit" }, "Check")
    )
  ),
  prose(
    el(
      "p",
      {},
      "To check a quote, fetch ",
      el("code", {}, "/md/quote?text=WORDS"),
      "; speaker, place_slug, agency_slug, from and to narrow it."
    )
  )
]

/** What was said, with what the quote left out or added. */
const compared = ({ words = [] }: QuoteHit): Kid =>
  words.length > 0 &&
  el(
    "blockquote",
    {},
    el(
      "p",
      {},
      words.map(({ quoted, said, how }) => [
        how !== "same" && quoted !== undefined && [el("del", {}, quoted), " "],
        said !== undefined && [how === "same" ? said : el("mark", {}, said), " "]
      ])
    )
  )

const hit = (one: QuoteHit): Kid => {
  const { meeting, path, start, speaker } = one
  return el(
    "li",
    {},
    el(
      "p",
      {},
      moment(path, start, `At ${clock(start)}`),
      " ",
      el("a", { href: path }, meetingName(meeting)),
      `, ${meeting.body.name}, ${longDate(meeting.date)}`,
      speaker !== undefined && `: ${speaker}`
    ),
    compared(one)
  )
}

const searched = ({ coverage }: QuoteCheck): string => {
  const { meetings_searched, bodies, hours, from, to, without_transcript } = coverage
  const days = from === undefined || to === undefined ? "" : `, from ${longDate(from)} to ${longDate(to)}`
  return `Searched: ${plural(meetings_searched, "meeting")} of ${plural(bodies, "body", "bodies")}, ${number(hours)} hours${days}. Without a transcript: ${number(without_transcript)}.`
}

const result = ({ query, check, signedIn }: QuoteView): Kid =>
  check !== undefined &&
  el(
    "section",
    { id: "result" },
    heading(verdicts[check.verdict]),
    el("p", { role: "status" }, check.hint),
    check.hits.length > 0 && el("ol", { class: "plain" }, check.hits.map(hit)),
    check.hits.length > 0 &&
      !signedIn &&
      el(
        "p",
        { class: "note" },
        el("a", { href: `/signin?return_to=${encodeURIComponent(withQuery("/quote", query))}` }, "Sign in"),
        " to read and hear what was said; an account is free."
      ),
    el("p", { class: "note" }, searched(check))
  )

/** `/quote`: whether somebody said what they are said to have said. */
const quotePage = (view: QuoteView): Page => ({
  head: {
    title: "Check a quote",
    description: "Whether something was said in a public meeting: word for word, nearly so, or not found, and where.",
    path: "/quote",
    access: "open",
    personal: true
  },
  main: el(
    "div",
    { class: "wide top narrow" },
    heading("Check a quote"),
    el("p", { class: "lede" }, "Paste a quote, and hear whether it was said in a meeting on record, and how."),
    form(view),
    result(view)
  )
})

const decode = queryDecoder(QuotePageQuery)

export const loadQuote: Load<QuoteChecks> = Effect.fn("QuotePage.load")(function* ({ query: asked, viewer }) {
  const query = yield* decode(asked)
  const { text } = query
  const check = text === undefined ? undefined : yield* (yield* QuoteChecks).check({ ...query, text }, viewer)
  return quotePage({ query, check, signedIn: viewer._tag === "Reader" })
})
