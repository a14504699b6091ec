import { Effect } from "effect"
import type { AccountSession } from "../../../schema/account.ts"
import { el, type Kid } from "../../page-tree/tree.ts"
import { Passwords } from "../../services/accounts/passwords.ts"
import { Sessions } from "../../services/accounts/sessions.ts"
import { plainDate } from "../said.ts"
import { act } from "./form.ts"
import { signInAgain } from "./proof.ts"
import { type LoadTask, taskPage } from "./task.ts"

const path = "/account/sessions"

const day = (instant: string): string => plainDate(instant.slice(0, 10))

const one =
  (mayEnd: boolean) =>
  ({ id, browser = "Unknown browser", created_at, last_seen_at, current }: AccountSession): Kid =>
    el(
      "li",
      {},
      browser,
      " ",
      el("span", { class: "num" }, `Signed in on ${day(created_at)}, last seen on ${day(last_seen_at)}`),
      " ",
      current
        ? el("strong", {}, "This browser")
        : mayEnd && act(`${path}/${id}/end`, "End", {}, `${browser}, ${day(created_at)}`)
    )

/** `/account/sessions` */
export const loadSessions: LoadTask<Passwords | Sessions> = Effect.fn("AccountPage.sessions")(function* (visit) {
  const { reader, session } = visit
  const sessions = yield* (yield* Sessions).list(reader, session)
  const passwords = yield* Passwords
  const mayEnd = (yield* Effect.result(passwords.requireOwner(reader, { session })))._tag === "Success"
  return taskPage(
    visit,
    {
      path,
      title: "Where you are signed in",
      description: "The browsers that are signed in to your account, each of which you can sign out."
    },
    el("ul", { class: "dotted" }, sessions.map(one(mayEnd))),
    sessions.length > 1 && !mayEnd && [el("p", {}, "You can end the others here."), signInAgain(path)],
    el(
      "p",
      {},
      "A session ends by itself 30 days after it was last used. If you do not know one, end it and ",
      el("a", { href: "/account/password" }, "set a password"),
      ", which ends all others. No addresses or places are kept of sessions."
    )
  )
})
