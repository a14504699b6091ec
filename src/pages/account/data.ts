import { Effect } from "effect"
import { el, heading, type Kid } from "../../page-tree/tree.ts"
import { Accounts } from "../../services/accounts/accounts.ts"
import type { Passwords } from "../../services/accounts/passwords.ts"
import type { Page } from "../page.ts"
import { byApi, field, form } from "./form.ts"
import { proofField, proofOf, signInAgain } from "./proof.ts"
import { type LoadTask, taskPage } from "./task.ts"

const points = (...items: ReadonlyArray<Kid>): Kid =>
  el(
    "ul",
    { class: "points" },
    items.map((item) => el("li", {}, item))
  )

/** `/account/export` */
export const loadExport: LoadTask<Accounts> = Effect.fn("AccountPage.export")(function* (visit) {
  const { email } = yield* (yield* Accounts).get(visit.reader)
  return taskPage(
    visit,
    {
      path: "/account/export",
      title: "Download your data",
      description: "Everything that is stored about your account."
    },
    el("p", {}, `One JSON file has everything that is stored about ${email}:`),
    points(
      "your details, and when you signed in",
      "what you follow, your e-mail preferences, your saved searches and what was mailed to you",
      "your clips, without their pictures and sound, and the links to meetings that you shared"
    ),
    el("p", {}, "It has no password and nothing that signs anybody in."),
    el("p", {}, el("a", { class: "action", href: "/api/me/export", download: true }, "Download the file"))
  )
})

const path = "/account/delete"

/** `/account/delete` */
export const loadDelete: LoadTask<Accounts | Passwords> = Effect.fn("AccountPage.delete")(function* (visit) {
  const account = yield* (yield* Accounts).get(visit.reader)
  const proof = yield* proofOf(visit, account)
  return taskPage(
    visit,
    { path, title: "Delete your account", description: "Ends your account for good." },
    el("p", {}, "This cannot be undone. With your account go, at once and for good:"),
    points(
      "your details, and every session on every device",
      "your clips, and the links under which others watch them",
      "the links to meetings that you shared",
      "what you follow, your saved searches, and all mail to you"
    ),
    el("p", {}, "You may want to ", el("a", { href: "/account/export" }, "download your data"), " first."),
    proof === "sign-in"
      ? signInAgain(path)
      : form(
          path,
          "Delete my account for good",
          field(visit, {
            name: "email",
            label: "Type your e-mail address to confirm",
            hint: `It is ${account.email}.`,
            type: "email",
            autocomplete: "off",
            maxlength: 254
          }),
          proofField(visit, proof)
        ),
    byApi("To delete it", "DELETE /api/me/account")
  )
})

/** `/account/deleted`: the page after a deletion. */
export const deletedPage: Page = {
  head: {
    title: "Your account was deleted",
    description: "The account is gone.",
    path: "/account/deleted",
    discreet: true
  },
  main: el(
    "div",
    { class: "wide top slip" },
    heading("Your account was deleted"),
    el(
      "p",
      { role: "status" },
      "Everything that was yours is gone with it. Links already handed out to media stop working within six hours."
    ),
    el("p", {}, el("a", { href: "/" }, "Go to the record"))
  )
}
