import { Effect, Option } from "effect"
import { el } from "../../page-tree/tree.ts"
import { Accounts } from "../../services/accounts/accounts.ts"
import { EmailChanges } from "../../services/accounts/email-changes.ts"
import type { Passwords } from "../../services/accounts/passwords.ts"
import { byApi, field, form } from "./form.ts"
import { proofField, proofOf, signInAgain } from "./proof.ts"
import { type LoadTask, taskPage } from "./task.ts"

const path = "/account/email"

/** `/account/email`: the first step, which mails a code to the new address. */
export const loadEmail: LoadTask<Accounts | Passwords> = Effect.fn("AccountPage.email")(function* (visit) {
  const account = yield* (yield* Accounts).get(visit.reader)
  const proof = yield* proofOf(visit, account)
  return taskPage(
    visit,
    { path, title: "E-mail address", description: "The address that you sign in with." },
    el("p", {}, `Your e-mail address is ${account.email}. You sign in with it, and mail goes to it.`),
    proof === "sign-in"
      ? signInAgain(path)
      : form(
          path,
          "Send a code to the new address",
          field(visit, {
            name: "email",
            label: "New e-mail address",
            hint: "The address changes once you type the code that we mail to it.",
            type: "email",
            autocomplete: "email",
            maxlength: 254
          }),
          proofField(visit, proof)
        ),
    byApi("To change it", "POST /api/me/account/email/start")
  )
})

/** `/account/email/code`: the second step, for the change that is waiting. */
export const loadEmailCode: LoadTask<Accounts | EmailChanges> = Effect.fn("AccountPage.emailCode")(function* (visit) {
  yield* (yield* Accounts).get(visit.reader)
  const waiting = Option.getOrUndefined(yield* (yield* EmailChanges).waiting(visit.reader))
  const email = visit.refused?.typed.get("email") ?? waiting
  return taskPage(
    visit,
    {
      path: `${path}/code`,
      title: "Confirm the new address",
      description: "The code that was mailed to the new address."
    },
    email === undefined
      ? el("p", {}, "No change is waiting for a code. ", el("a", { href: path }, "Start one"), ".")
      : [
          el("p", {}, `The code was mailed to ${email}. Your address stays as it is until you type the code here.`),
          form(
            `${path}/code`,
            "Change the address",
            el("input", { type: "hidden", name: "email", value: email }),
            field(visit, {
              name: "code",
              label: "6-digit code",
              autocomplete: "one-time-code",
              inputmode: "numeric",
              maxlength: 12
            })
          ),
          el("p", {}, "No mail? Look in the spam folder, or ", el("a", { href: path }, "ask for a new code"), ".")
        ],
    byApi("To confirm it", "POST /api/me/account/email/confirm")
  )
})
