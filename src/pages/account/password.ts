import { Effect } from "effect"
import { el } from "../../page-tree/tree.ts"
import { Accounts } from "../../services/accounts/accounts.ts"
import type { Passwords } from "../../services/accounts/passwords.ts"
import { byApi, field, form } from "./form.ts"
import { proofOf, signInAgain } from "./proof.ts"
import { type LoadTask, taskPage } from "./task.ts"

/** `/account/password` */
export const loadPassword: LoadTask<Accounts | Passwords> = Effect.fn("AccountPage.password")(function* (visit) {
  const account = yield* (yield* Accounts).get(visit.reader)
  const { email, has_password } = account
  const proof = yield* proofOf(visit, account)
  return taskPage(
    visit,
    { path: "/account/password", title: "Password", description: "A second way to sign in." },
    el(
      "p",
      {},
      has_password
        ? "Your account has a password."
        : "Your account has no password, and does not need one: you sign in with a code that is mailed to you."
    ),
    el(
      "p",
      {},
      "A password is a second way to sign in, for when you cannot get at your mail. It also stands in for a new sign-in when you change your address or delete your account. ",
      "Setting one signs you out everywhere but here."
    ),
    proof === "sign-in"
      ? signInAgain("/account/password")
      : form(
          "/account/password",
          has_password ? "Change the password" : "Set the password",
          // Lets a password manager know which account this is.
          el("input", {
            type: "text",
            name: "username",
            value: email,
            autocomplete: "username",
            hidden: true,
            tabindex: -1
          }),
          has_password &&
            field(visit, {
              name: "current_password",
              label: "Current password",
              type: "password",
              autocomplete: "current-password"
            }),
          field(visit, {
            name: "password",
            label: "New password",
            hint: "Long beats complicated: four unrelated words are a good one.",
            type: "password",
            autocomplete: "new-password"
          })
        ),
    byApi("To set it", "PUT /api/me/account/password")
  )
})
