import type { Effect } from "effect"
import type { AccountId } from "../../../schema/primitives.ts"
import type { Trouble } from "../../failures/words.ts"
import { el, heading, type Kid, web } from "../../page-tree/tree.ts"
import type { SignInRequired } from "../../services/accounts/access.ts"
import type { Head, Page } from "../page.ts"

/** The result of a task, shown once on the page that follows. */
export const outcomes = {
  name_changed: "Your name was changed.",
  code_sent: "We mailed you a code. It is valid for 10 minutes.",
  email_changed: "Your e-mail address was changed.",
  password_set: "Your password was set. Your other sessions were signed out.",
  phone_set: "Your phone number was saved.",
  phone_removed: "Your phone number was removed.",
  followed: "It was added to what you follow.",
  unfollowed: "You no longer follow it.",
  calendar_removed: "The address of your calendar no longer answers.",
  token_revoked: "The token was revoked. It opens nothing any more.",
  session_ended: "That browser was signed out.",
  mail_changed: "Your e-mail preferences were saved.",
  search_saved: "The search was saved.",
  search_renamed: "The search was renamed.",
  search_deleted: "The saved search was deleted.",
  mistake_reported: "Your report was received. Thank you.",
  clip_deleted: "The clip was deleted, and its share link no longer works."
} as const
export type Outcome = keyof typeof outcomes

/** A form that was refused. */
export interface Refused {
  /** The status of the answer, 400 or above. */
  readonly status: number
  readonly troubles: ReadonlyArray<Trouble>
  /** The values as submitted, by field name. */
  readonly typed: URLSearchParams
}

/** A reader at one page of their account. */
export interface Visit {
  readonly reader: AccountId
  /** The token of the session, which shows how long ago its sign-in was. */
  readonly session: string
  /** The parameters in the page's path. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  readonly outcome?: Outcome | undefined
  readonly refused?: Refused | undefined
}

/** Loads a page of the account. `SignInRequired` if the account was deleted in the meantime. */
export type LoadTask<R, E = never> = (visit: Visit) => Effect.Effect<Page, SignInRequired | E, R>

/** The error summary, first on the page; each problem links to its field. */
const summary = ({ troubles }: Refused): Kid =>
  el(
    "div",
    { class: "troubles", role: "alert", tabindex: -1, autofocus: true },
    el("p", {}, el("strong", {}, "There is a problem")),
    el(
      "ul",
      {},
      troubles.map(({ field, text }) => el("li", {}, field === undefined ? text : el("a", { href: `#${field}` }, text)))
    )
  )

const notice = ({ refused, outcome }: Visit): Kid =>
  refused !== undefined
    ? web(summary(refused))
    : outcome !== undefined &&
      el("p", { class: "done", role: "status", tabindex: -1, autofocus: true }, outcomes[outcome])

/** One task of the account on a page of its own. */
export const taskPage = (
  visit: Visit,
  head: Pick<Head, "title" | "description" | "script" | "crumbs"> & { readonly path: string },
  ...kids: ReadonlyArray<Kid>
): Page => ({
  ...(visit.refused === undefined ? {} : { status: visit.refused.status }),
  head: {
    ...head,
    title: visit.refused === undefined ? head.title : `Error: ${head.title}`,
    discreet: true,
    crumbs:
      head.crumbs ??
      (head.path === "/account"
        ? []
        : [
            { name: "Your account", path: "/account" },
            { name: head.title, path: head.path }
          ])
  },
  main: el("div", { class: "wide top narrow account-page" }, notice(visit), heading(head.title), kids)
})
