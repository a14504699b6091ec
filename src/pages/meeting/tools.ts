import { el, heading, type Kid, web } from "../../page-tree/tree.ts"
import { citationsOf, quotation } from "../../text/citation.ts"
import { headlineOf } from "./title.ts"
import type { RecordView } from "./view.ts"

/** Panels that scripts show on request; hidden until then, and useless without scripts. */

const button = (name: string, label: string): Kid => el("button", { type: "button", "data-act": name }, label)

/** A link that opens this meeting for somebody else, and ways to send it. */
export const shareSheet = (view: RecordView): Kid =>
  el(
    "section",
    {
      class: "sheet",
      id: "share-sheet",
      "aria-labelledby": "share-h",
      "data-share": view.meeting.links.share,
      "data-title": headlineOf(view),
      hidden: true
    },
    heading(el("span", { id: "share-h" }, "Share this meeting")),
    el(
      "p",
      { class: "note" },
      "The link opens all of it for one person, once, within 14 days, without an account, at the moment where you are."
    ),
    el("label", { for: "share-link" }, "Link"),
    el("input", { id: "share-link", type: "text", readonly: true }),
    el(
      "div",
      { class: "row" },
      button("share-link", "Copy"),
      el("a", { "data-act": "share-email", href: "#share-sheet" }, "E-mail"),
      el("a", { "data-act": "share-sms", href: "#share-sheet" }, "Text message"),
      el("button", { type: "button", "data-act": "share-native", hidden: true }, "More…")
    )
  )

const keys: ReadonlyArray<readonly [key: string, does: string, needsVideo: boolean]> = [
  ["k", "Play or pause", true],
  ["j", "Back 5 seconds", true],
  ["l", "Forward 5 seconds", true],
  ["[", "The turn before", false],
  ["]", "The next turn", false],
  ["/", "Find in the transcript", false]
]

export const keyList = (hasVideo: boolean): Kid =>
  el(
    "section",
    { class: "sheet", id: "key-list", "aria-label": "Keys", hidden: true },
    el(
      "dl",
      { class: "keys" },
      keys
        .filter(([, , needsVideo]) => hasVideo || !needsVideo)
        .map(([key, does]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, does)))
    )
  )

/** Cuts a span of the recording, from selected words or between two marked moments. */
export const clipMaker: Kid = el(
  "section",
  { class: "clip-maker", id: "clip-maker", "aria-labelledby": "clip-h", hidden: true },
  el("div", { class: "row" }, heading(el("span", { id: "clip-h" }, "Make a clip")), button("clip-close", "Close")),
  el(
    "p",
    { class: "span", role: "status", "data-span": true },
    "Mark the start and the end while it plays, or select words in the transcript and press Clip."
  ),
  el(
    "div",
    { class: "row" },
    button("clip-start", "Start here"),
    button("clip-end", "End here"),
    button("clip-auto", "Suggest"),
    button("clip-hear", "Hear it")
  ),
  el(
    "form",
    { action: "/api/user-clips", method: "post" },
    el("label", { for: "clip-title" }, "Title (optional)"),
    el(
      "div",
      { class: "row" },
      el("input", { id: "clip-title", type: "text", name: "title", maxlength: 200, autocomplete: "off" }),
      el("button", { type: "submit" }, "Make the clip")
    )
  ),
  el("p", { class: "why", role: "alert", "data-why": true })
)

/** A button that copies a text, in which a script fills in the words, their moment and its address. */
const copies = (label: string, text: string, done: string): Kid =>
  el("button", { type: "button", "data-fill": text, "data-done": done }, label)

/**
 * What can be done with selected words of the transcript. A script shows it beside them, because without one nothing
 * knows what is selected; each turn has its link, and citations are at the end of the page.
 */
export const selectionBar = ({ meeting, video, ownClips }: RecordView): Kid => {
  const moment = { clock: "{clock}", said: "{said}" }
  return web(
    el(
      "div",
      { class: "picked", role: "toolbar", "aria-label": "Selected words", "data-picked": true, hidden: true },
      el(
        "div",
        { class: "row" },
        copies("Copy quote", quotation(meeting, "{url}", moment), "Copied the quote."),
        copies("Copy link", "{url}", "Copied the link."),
        el(
          "button",
          { type: "button", "data-act": "pick-cite", "aria-expanded": false, "aria-controls": "pick-styles" },
          "Cite"
        ),
        ownClips !== undefined && video !== undefined && button("pick-clip", "Clip"),
        button("pick-share", "Share")
      ),
      el(
        "div",
        { class: "row", id: "pick-styles", role: "group", "aria-label": "Copy the citation", hidden: true },
        citationsOf(meeting, "{url}", moment).map(({ style, text }) =>
          copies(style, text, `Copied the citation (${style}).`)
        )
      ),
      el("p", { role: "status", "data-pick-say": true })
    )
  )
}
