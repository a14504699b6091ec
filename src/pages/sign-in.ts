import type { SignInTrouble } from "../failures/words.ts"
import { el, heading, prose, web } from "../page-tree/tree.ts"
import type { Page } from "./page.ts"

/** A sign-in provider, and the address where signing in starts. */
export interface Way {
  readonly name: string
  readonly start: string
}

/** `/signin`: the ways in. */
export const signInPage = (ways: ReadonlyArray<Way>): Page => ({
  ...(ways.length === 0 ? { status: 503 } : {}),
  head: {
    title: "Sign in",
    description: "A free account opens the transcripts, briefings and recordings of the record.",
    discreet: true
  },
  main: el(
    "div",
    { class: "wide top slip" },
    heading("Sign in"),
    ways.length === 0
      ? el("p", {}, "This service has no way to sign in yet: its operators configure one.")
      : [
          el(
            "p",
            {},
            "An account opens the transcripts, briefings and recordings. It is free, and is made when you first sign in."
          ),
          prose(el("p", {}, "A person has to do this, in a browser.")),
          el(
            "ul",
            { class: "acts" },
            ways.map(({ name, start }) =>
              el("li", {}, el("a", { class: "action", href: start }, `Continue with ${name}`))
            )
          ),
          web(el("p", { class: "note" }, "Searching, lists, agendas and published clips need no account."))
        ]
  )
})

/** A failed sign-in: what happened, and one link to the next step. */
export const signInFailedPage = (status: number, { title, text, link }: SignInTrouble): Page => ({
  status,
  head: { title, description: text, discreet: true },
  main: el(
    "div",
    { class: "wide top slip" },
    heading(title),
    el("p", { role: "alert" }, text),
    el("p", { class: "act" }, el("a", { class: "action", href: link.href }, link.text))
  )
})
