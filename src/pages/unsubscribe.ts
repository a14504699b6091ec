import type { MailingList } from "../../schema/account.ts"
import { el, heading, prose, web } from "../page-tree/tree.ts"
import type { Page } from "./page.ts"

const named: Readonly<Record<MailingList, string>> = {
  recaps: "recaps of the meetings that you follow",
  saved_searches: "what your saved searches find",
  all: "recaps of meetings and what your saved searches find"
}

const head = (title: string, description: string): Page["head"] => ({ title, description, discreet: true })

/** Asks for confirmation; identical for every holder of a link, without revealing whose mail it is. */
export const askUnsubscribePage = (list: MailingList, token: string): Page => ({
  head: head("Unsubscribe", "Ends mail from Civic Record."),
  main: el(
    "div",
    { class: "wide top slip" },
    heading("Unsubscribe"),
    el("p", {}, `Civic Record will no longer mail you ${named[list]}.`),
    web(
      el(
        "form",
        { method: "post", action: `?t=${encodeURIComponent(token)}` },
        el("input", { type: "hidden", name: "List-Unsubscribe", value: "One-Click" }),
        el("button", { type: "submit" }, "Unsubscribe")
      )
    ),
    prose(el("p", {}, "POST ", el("code", {}, "List-Unsubscribe=One-Click"), " to this address to unsubscribe."))
  )
})

/** Confirms; repeating the request has the same answer. */
export const unsubscribedPage = (list: MailingList): Page => ({
  head: head("You are unsubscribed", "Ends mail from Civic Record."),
  main: el(
    "div",
    { class: "wide top slip" },
    heading("You are unsubscribed"),
    el("p", { role: "status" }, `Civic Record no longer mails you ${named[list]}.`),
    el("p", {}, "If you change your mind, sign in and turn it on again in your account."),
    el("p", {}, el("a", { href: "/" }, "Go to Civic Record"))
  )
})
