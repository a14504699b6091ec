import { el, heading, type Kid, prose, web } from "../../page-tree/tree.ts"
import { onThisOrigin } from "../parts/origin.ts"
import { clock, length, plural } from "../said.ts"
import { signInHere } from "./returning.ts"
import type { TeaserView } from "./view.ts"

const whyClosed: Readonly<Record<NonNullable<TeaserView["closed"]>, string>> = {
  refused:
    "This share link does not open the meeting. A link works once, in one browser, within 14 days. Ask whoever sent it for a new one, or sign in: accounts are free.",
  "other meeting":
    "This share link is for another meeting. Open it at the address it came with, or sign in to read this one: accounts are free.",
  over: "The share link that opened a meeting for you has run out: it lasts 14 days. Ask for a new one, or sign in: accounts are free."
}

/** The parts of this meeting that signing in opens. */
const opens = ({
  meeting: { has, duration, status, newsletter_teaser },
  decisions
}: TeaserView): ReadonlyArray<string> =>
  [
    decisions > 0 && `${plural(decisions, "decision")}, with the votes`,
    has.video && `the recording${duration === undefined ? "" : `, ${length(duration)}`}`,
    has.transcript && "the transcript, to search, quote and download",
    has.briefing &&
      (newsletter_teaser === undefined
        ? "the briefing, once its claims are checked"
        : "the whole briefing, each sentence with the moments it rests on, and what was removed"),
    has.agenda && `the agenda${status === "held" ? " with its outcomes" : " in full"}`,
    has.video && "clips of your own, to share"
  ].filter((held) => held !== false)

const signIn = (view: TeaserView): Kid => [
  el(
    "p",
    { class: "act" },
    web(el("a", { class: "action", href: signInHere(view) }, "Sign in with an e-mail address")),
    prose(
      "Sign in: ",
      el("a", { href: signInHere(view) }, "with an e-mail address"),
      ". A person has to do this, in a browser."
    )
  ),
  el(
    "p",
    { class: "note" },
    "An account is made when you first sign in. Search, lists, agendas, chapters and published clips stay open to all."
  )
]

/**
 * What signing in opens, beside the headline and never over it; before that, why a share link did not open the meeting.
 */
export const invitation = (view: TeaserView): Kid => {
  const { meeting, closed, at } = view
  const list = opens(view)
  return (
    (list.length > 0 || closed !== undefined) &&
    el(
      "div",
      { class: "stage gate" },
      meeting.poster_url !== undefined &&
        web(el("img", { class: "poster", src: onThisOrigin(meeting.poster_url), alt: "", width: 1280, height: 720 })),
      closed !== undefined && el("p", { class: "closed", role: "status" }, whyClosed[closed]),
      list.length > 0 &&
        el(
          "section",
          { class: "invitation", "aria-labelledby": "more-h" },
          heading(
            el(
              "span",
              { id: "more-h" },
              meeting.has.transcript ? "Read and hear the whole meeting" : "See the whole record"
            )
          ),
          at !== undefined &&
            meeting.has.video &&
            el("p", {}, `You followed a link to ${clock(at)} of the recording. It opens there once you are signed in.`),
          el("p", {}, "With a free account, or a link that a reader shares, you get:"),
          el(
            "ul",
            {},
            list.map((one) => el("li", {}, one))
          ),
          signIn(view)
        )
    )
  )
}
