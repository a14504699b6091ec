import { el, heading, type Kid } from "../../page-tree/tree.ts"
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
    el("p", { class: "note" }, "The link opens all of it for one person, once, within 14 days, without an account."),
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
    "Select words in the transcript, or mark the start and the end while it plays."
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
