import { Effect } from "effect"
import type { Account } from "../../../schema/account.ts"
import { el, heading, type Kid, prose } from "../../page-tree/tree.ts"
import { Accounts } from "../../services/accounts/accounts.ts"
import { Follows } from "../../services/accounts/follows.ts"
import { SavedSearches } from "../../services/accounts/saved-searches.ts"
import { UserClips } from "../../services/clips/user-clips.ts"
import { plainDate, plural } from "../said.ts"
import { act } from "./form.ts"
import { type LoadTask, taskPage } from "./task.ts"

interface Kept {
  readonly account: Account
  readonly follows: number
  readonly searches: number
  readonly clips: number
}

/** The tasks of an account in groups: the name, address and current state of each. */
const groupsOf = ({ account, follows, searches, clips }: Kept) =>
  [
    {
      id: "record",
      title: "What you keep",
      tasks: [
        ["What you follow", "/account/follows", plural(follows, "body or place", "bodies and places")],
        ["Saved searches", "/account/searches", plural(searches, "search", "searches")],
        ["Your clips", "/account/clips", plural(clips, "clip")],
        ["Your calendar", "/account/calendar", "The meetings of what you follow, in a calendar program"],
        ["Your programs", "/account/tokens", "Tokens with which assistants read meetings for you"],
        ["E-mail preferences", "/account/mail", "What is mailed to you, and how often"]
      ]
    },
    {
      id: "you",
      title: "Your details",
      tasks: [
        ["Name", "/account/name", account.name ?? "Not set"],
        ["E-mail address", "/account/email", account.email],
        ["Phone number", "/account/phone", account.phone ?? "Not set"],
        ["Password", "/account/password", account.has_password ? "Set" : "Not set"],
        ["Where you are signed in", "/account/sessions", "Your browsers, each of which you can sign out"]
      ]
    },
    {
      id: "data",
      title: "Your data",
      tasks: [
        ["Download your data", "/account/export", "Everything that is stored about your account"],
        ["Delete your account", "/account/delete", "For good, with everything that is yours"]
      ]
    }
  ] as const

const group = ({ id, title, tasks }: ReturnType<typeof groupsOf>[number]): Kid =>
  el(
    "section",
    { class: "list", "aria-labelledby": id },
    heading(el("span", { id }, title)),
    el(
      "ul",
      { class: "dotted" },
      tasks.map(([name, path, now]) =>
        el("li", {}, el("a", { href: path }, name), " ", el("span", { class: "num" }, now))
      )
    )
  )

/** `/account`: the list of tasks. */
export const loadOverview: LoadTask<Accounts | Follows | SavedSearches | UserClips> = Effect.fn("AccountPage.overview")(
  function* (visit) {
    const { reader } = visit
    const account = yield* (yield* Accounts).get(reader)
    const { agencies, places } = yield* (yield* Follows).get(reader)
    const { saved_searches } = yield* (yield* SavedSearches).list(reader)
    const { clips } = yield* (yield* UserClips).list(reader, undefined)
    return taskPage(
      visit,
      {
        path: "/account",
        title: "Your account",
        description: "What you follow, your saved searches, your clips and your details."
      },
      el(
        "p",
        {},
        `Signed in as ${account.email}, with an account since ${plainDate(account.created_at.slice(0, 10))}.`
      ),
      groupsOf({
        account,
        follows: agencies.length + places.length,
        searches: saved_searches.length,
        clips: clips.length
      }).map(group),
      act("/signout", "Sign out", {}),
      prose(el("p", {}, "To sign out, send ", el("code", {}, "POST /api/auth/logout"), "."))
    )
  }
)
