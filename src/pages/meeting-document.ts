import { Effect } from "effect"
import type { DocumentPage, DocumentText, MeetingDocument } from "../../schema/document-text.ts"
import { parseSearchQuery, wantedIn, wantedWords } from "../../schema/search-query.ts"
import { el, heading, type Kid, prose, web } from "../page-tree/tree.ts"
import { Documents } from "../services/meetings/documents.ts"
import type { Load, Page } from "./page.ts"
import { kindWords, sizeOf } from "./parts/documents.ts"
import { documentData } from "./parts/linked-data.ts"
import { listed } from "./parts/listed.ts"
import { marked } from "./parts/marked.ts"
import { pager } from "./parts/pager.ts"
import { number as figure, plainDate, plural } from "./said.ts"

/** The pages of a document on one page of the site. */
const pagesAtOnce = 20

/** Longer than any search. */
const longestQuery = 500

interface DocumentView {
  /** The words that led here, which are marked. */
  readonly words: ReadonlyArray<string>
  readonly document: MeetingDocument
  readonly text: DocumentText
}

const day = (instant: string): string => plainDate(instant.slice(0, 10))

const addressOf = ({ document, text }: DocumentView, page: number): string => {
  const isCurrent = text.version === (document.version ?? 1)
  const query = [...(page === 1 ? [] : [`page=${page}`]), ...(isCurrent ? [] : [`version=${text.version}`])].join("&")
  return query === "" ? document.path : `${document.path}?${query}`
}

const facts = ({ document: { pages, bytes, fetched_at, changed_at, source_url, meeting } }: DocumentView): Kid =>
  el(
    "ul",
    { class: "facts", inline: true },
    el("li", {}, el("a", { href: meeting.path }, `${meeting.body.name}, ${plainDate(meeting.date)}`)),
    pages !== undefined && pages > 0 && el("li", {}, plural(pages, "page")),
    bytes !== undefined && el("li", {}, sizeOf(bytes)),
    changed_at === undefined
      ? fetched_at !== undefined && el("li", {}, `Read on ${day(fetched_at)}`)
      : el("li", {}, "Changed on ", el("time", { datetime: changed_at }, day(changed_at))),
    source_url !== undefined && el("li", {}, el("a", { href: source_url, rel: "external" }, "The original"))
  )

const notes = ({ document, text }: DocumentView): Kid => [
  document.meeting.item !== undefined &&
    el(
      "p",
      {},
      "On the agenda: ",
      el(
        "a",
        { href: `${document.meeting.path}#agenda` },
        [document.meeting.item.number, document.meeting.item.title].filter((part) => part !== undefined).join(" ")
      )
    ),
  text.version !== (document.version ?? text.version) &&
    el(
      "p",
      { class: "note" },
      "This is what it read before. ",
      el("a", { href: document.path }, "Read it as it is now.")
    ),
  document.state === "listed" && el("p", { class: "note" }, "It was not read yet."),
  document.unread !== undefined && el("p", { class: "note" }, document.unread),
  document.removals > 0 &&
    el(
      "p",
      { class: "note" },
      `Home addresses and the like were taken out of the text, ${document.removals === 1 ? "once" : `${figure(document.removals)} times`}.`
    )
]

const pageShown = ({ number, text, from }: DocumentPage, words: ReadonlyArray<string>): Kid =>
  el(
    "section",
    { class: "leaf", id: `page-${number}`, "aria-labelledby": `page-${number}-h` },
    heading(el("span", { id: `page-${number}-h` }, `Page ${number}`)),
    from === "ocr" && el("p", { class: "note" }, "Recognized in a picture of the page: words may be wrong."),
    text === ""
      ? el("p", { class: "note" }, "Nothing on this page could be read.")
      : el("p", { class: "lines" }, marked(text, words))
  )

/** A field that leads to a page by its number. */
const goTo = ({ document: { path }, text: { total } }: DocumentView): Kid =>
  total > pagesAtOnce &&
  web(
    el(
      "form",
      { action: path, method: "get", class: "go-to" },
      el("label", { for: "go-to" }, "Page"),
      el("input", { id: "go-to", type: "text", name: "page", inputmode: "numeric", autocomplete: "off" }),
      el("button", { type: "submit" }, `Go (of ${figure(total)})`)
    )
  )

const versions = (view: DocumentView): Kid =>
  view.document.versions.length > 1 &&
  listed(
    { id: "versions", title: "As it was before", kind: "side" },
    el(
      "ul",
      { class: "dotted" },
      view.document.versions.map(({ version, fetched_at = "", replaced_at }) =>
        el(
          "li",
          {},
          replaced_at === undefined
            ? `Since ${day(fetched_at)}: as it is now`
            : el(
                "a",
                { href: `${view.document.path}?version=${version}` },
                `From ${day(fetched_at)} to ${day(replaced_at)}`
              )
        )
      )
    )
  )

/** `/documents/{id}`: a document by page; each page has its own anchor, `#page-88`. */
const documentPage = (view: DocumentView): Page => {
  const { document, text } = view
  const { kind, title, meeting, path, fetched_at, source_url } = document
  const [first, last] = [text.pages[0]?.number ?? 1, text.pages.at(-1)?.number ?? 1]
  const at = addressOf(view, first)
  return {
    head: {
      title: `${title}: ${meeting.body.name}, ${plainDate(meeting.date)}`.slice(0, 140),
      description: `${kindWords[kind]} of a meeting of ${meeting.body.name} on ${plainDate(meeting.date)}, by page.`,
      path: at,
      access: "open",
      current: "browse",
      ...(fetched_at === undefined ? {} : { updated: fetched_at }),
      ...(source_url === undefined ? {} : { source: source_url }),
      json: `/api/documents/${document.id}`,
      data: documentData(document),
      crumbs: [meeting.body, { name: plainDate(meeting.date), path: meeting.path }, { name: title.slice(0, 60), path }]
    },
    main: [
      el(
        "div",
        { class: "wide top" },
        el("p", { class: "place-line" }, kindWords[kind]),
        heading(title),
        facts(view),
        notes(view),
        goTo(view),
        text.pages.length > 0 && prose(el("p", {}, `Pages ${first} to ${last} of ${text.total}.`))
      ),
      el(
        "div",
        { class: "wide document" },
        text.pages.map((page) => pageShown(page, view.words)),
        pager({
          page: Math.ceil(first / pagesAtOnce),
          pages: Math.max(1, Math.ceil(text.total / pagesAtOnce)),
          path: (page) => addressOf(view, (page - 1) * pagesAtOnce + 1)
        }),
        versions(view)
      )
    ]
  }
}

/** The words of a search in the query, in documents or anywhere; the lines of a page part phrases. */
const wordsIn = (query: URLSearchParams): ReadonlyArray<string> => {
  const search = parseSearchQuery((query.get("q") ?? "").slice(0, longestQuery))
  return [...wantedWords(search), ...wantedIn(search, "document")].flatMap((text) => text.split(/\s+/))
}

/** A whole number in the query; 1 if there is none. */
const numberIn = (query: URLSearchParams, name: string): number | undefined => {
  const asked = query.get(name) ?? ""
  return /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : undefined
}

export const loadDocument: Load<Documents> = Effect.fn("DocumentPage.load")(function* ({ params, query }) {
  const documents = yield* Documents
  const document = yield* documents.document(params.id ?? "")
  const version = numberIn(query, "version")
  const page = Math.ceil((numberIn(query, "page") ?? 1) / pagesAtOnce)
  const text = yield* documents.text(document.id, {
    page,
    page_size: pagesAtOnce,
    ...(version === undefined ? {} : { version })
  })
  return documentPage({ document, text, words: wordsIn(query) })
})
