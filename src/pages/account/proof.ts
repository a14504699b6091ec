import { Effect, Redacted } from "effect"
import type { Account } from "../../../schema/account.ts"
import { el, type Kid, web } from "../../page-tree/tree.ts"
import { Passwords } from "../../services/accounts/passwords.ts"
import { field } from "./form.ts"
import type { Visit } from "./task.ts"

/**
 * The proof required for a change that could take the account from its reader: none, the password, or a new sign-in.
 */
export type Proof = "none" | "password" | "sign-in"

/**
 * The proof that is still missing: a sign-in in the last ten minutes is enough, and so is the password if one is set.
 */
export const proofOf = Effect.fnUntraced(function* ({ reader, session }: Visit, { has_password }: Account) {
  const passwords = yield* Passwords
  const recent = yield* Effect.result(passwords.requireOwner(reader, { session }))
  return recent._tag === "Success" ? "none" : has_password ? "password" : "sign-in"
})

/** The proof in the form that the service takes, from the fields of a form. */
export const proofIn = ({ reader, session }: Visit, form: URLSearchParams) => {
  const current = form.get("current_password") ?? ""
  return Passwords.use((passwords) =>
    passwords.requireOwner(reader, { session, ...(current === "" ? {} : { current: Redacted.make(current) }) })
  )
}

/** A password field, if a password is the missing proof. */
export const proofField = (visit: Visit, proof: Proof): Kid =>
  proof === "password" &&
  field(visit, {
    name: "current_password",
    label: "Your password",
    hint: "Because you signed in more than 10 minutes ago.",
    type: "password",
    autocomplete: "current-password"
  })

/** Shown in place of a form that would be refused: a link to a new sign-in and back. */
export const signInAgain = (path: string): Kid => [
  el("p", {}, "For your safety, this needs a sign-in within the last 10 minutes, and yours is older."),
  web(
    el(
      "p",
      {},
      el("a", { class: "action", href: `/signin?return_to=${encodeURIComponent(path)}` }, "Sign in again to continue")
    )
  )
]
