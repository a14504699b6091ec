import { Effect, Option } from "effect"
import { Environment } from "../../layers/config/config.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import type { Load, Page } from "./page.ts"

const part = (id: string, title: string, ...paragraphs: ReadonlyArray<Kid>): Kid =>
  el(
    "section",
    { class: "part prose", "aria-labelledby": id },
    heading(el("span", { id }, title)),
    paragraphs.map((words) => el("p", {}, words))
  )

/** How readers reach the operators. */
const reach = (contact: Option.Option<string>): Kid =>
  Option.match(contact, {
    onNone: () => "Whoever runs this service has given no address to write to.",
    onSome: (email) => ["Write to whoever runs this service: ", el("a", { href: `mailto:${email}` }, email), "."]
  })

/** `/about`: what the record is, how far it can be trusted, and whom to write to. */
const aboutPage = (contact: Option.Option<string>): Page => ({
  head: {
    title: "About the record",
    description:
      "What Civic Record holds, how it is checked, what is not shown to everyone, and what to do about a wrong word.",
    path: "/about",
    access: "open"
  },
  main: el(
    "div",
    { class: "wide top narrow" },
    heading("About the record"),
    el(
      "p",
      { class: "lede" },
      "City councils, school boards, planning commissions and county boards meet in public, and almost nobody can find what was said. This is a record of their meetings that can be searched, heard and cited."
    ),
    part(
      "what",
      "What it is",
      "For each meeting: who met, when and on what; the agenda; a transcript in which every word has its second in the recording; a written briefing; and clips of the moments that mattered. Meetings to come are listed as soon as they are announced, and stay listed, with the word, when they are cancelled.",
      "It is not a government site, and it is not the official minutes. Each meeting links to the page where its body published it."
    ),
    part(
      "checked",
      "How it is checked",
      "Transcripts and briefings are made by machines. Each sentence of a briefing carries the seconds of the recording it rests on. Where a briefing is checked, an independent check holds each sentence against them. A sentence that the recording does not support is removed before anybody reads it. The meeting's page says how many sentences stood and how many were removed, and lists every claim with its verdict.",
      "A briefing whose check has begun is not shown until the check is done. One that was imported, with the result of a check or without, or that was published while the check is turned off, is shown, and says that it has not been checked here. An operator who trusts the source of imported checks can have them count."
    ),
    part(
      "withheld",
      "What is not shown to everyone",
      "Anyone may search, list and find: what a meeting was about, its agenda and chapters, the beginning of its briefing, the second at which a word was said, and the published clips. The transcript, the whole briefing and the recording are for readers: a free account opens them, and so does a link that a reader shares.",
      "Search finds what was said without showing the words. Recordings have no permanent address; each visit gets its own, which stops working after six hours."
    ),
    part(
      "wrong",
      "If a word is wrong",
      "The recording decides. Open the meeting at that second and listen. “Report a mistake”, on its page, tells whoever runs this service what you hear there; it takes an account. For the official minutes turn to the clerk of the body, to whose page the meeting links."
    ),
    part("programs", "For programs", [
      "Every page is also Markdown, at the same address after ",
      el("code", {}, "/md"),
      " or with ",
      el("code", {}, "Accept: text/markdown"),
      ". The same record is an API: ",
      el("a", { href: "/developers" }, "for developers"),
      "."
    ]),
    part("contact", "Contact", reach(contact))
  )
})

export const loadAbout: Load<Environment> = () => Effect.map(Environment, ({ contactEmail }) => aboutPage(contactEmail))
