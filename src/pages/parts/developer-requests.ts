import { el, heading, type Kid } from "../../page-tree/tree.ts"

/** What the page for developers is made from. */
export interface DevelopersView {
  /** The address of the service, without a trailing slash. */
  readonly base: string
  /** The id of an example meeting; one with a transcript, if any has one. */
  readonly meeting: string | undefined
  /** Public reads per minute for one address. */
  readonly readsPerMinute: number
}

/** A part of the page, with its heading. */
export const part = (id: string, title: string, ...kids: ReadonlyArray<Kid>): Kid =>
  el("section", { class: "part", "aria-labelledby": id }, heading(el("span", { id }, title)), kids)

export const text = (...kids: ReadonlyArray<Kid>): Kid => el("p", {}, kids)
export const code = (words: string): Kid => el("code", {}, words)
export const points = (...items: ReadonlyArray<Kid>): Kid =>
  el(
    "ul",
    { class: "points" },
    items.map((item) => el("li", {}, item))
  )

/** Requests that a developer can paste, each with what it does. */
export const requests = ({ base, meeting = "{id}" }: DevelopersView): Kid => {
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
