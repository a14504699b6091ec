import { Effect } from "effect"
import type { Account } from "../../schema/account.ts"
import type { AccountId } from "../../schema/primitives.ts"
import type { SavedSearch } from "../../schema/saved-search.ts"
import type { UserClip } from "../../schema/user-clip.ts"
import { Accounts } from "../services/accounts/accounts.ts"
import { Follows } from "../services/accounts/follows.ts"
import { SavedSearches } from "../services/accounts/saved-searches.ts"
import { UserClips } from "../services/clips/user-clips.ts"
import { Directory } from "../services/directory/directory.ts"
import type { Page } from "./page.ts"
import { length, plainDate } from "./said.ts"
import { el, heading, type Kid, prose, web } from "./tree/tree.ts"

/** What has a name and a page. */
interface Named {
  readonly name: string
  readonly path: string
}

export interface AccountView {
  readonly account: Account
  /** Bodies, then places. */
  readonly follows: ReadonlyArray<Named>
  readonly searches: ReadonlyArray<SavedSearch>
  readonly clips: ReadonlyArray<UserClip>
}

const clipStates = {
  rendering: "is being made",
  ready: "is ready",
  failed: "could not be made"
} as const satisfies Record<UserClip["state"], string>

const clipItem = ({ slug, title = "Untitled clip", duration, state, created_at }: UserClip): Kid => [
  state === "ready" ? el("a", { href: `/clips/${slug}` }, title) : title,
  ` (${length(duration)}, cut on ${plainDate(created_at.slice(0, 10))}) ${clipStates[state]}`
]

const list = (id: string, title: string, empty: string, items: ReadonlyArray<Kid>): Kid =>
  el(
    "section",
    { class: "list", "aria-labelledby": id },
    heading(el("span", { id }, title)),
    items.length === 0
      ? el("p", { class: "note" }, empty)
      : el(
          "ul",
          { class: "plain" },
          items.map((item) => el("li", {}, item))
        )
  )

const fact = (name: string, value: string): Kid => el("div", {}, el("dt", {}, name), el("dd", {}, value))

/** `/account`: what is kept for the reader who is signed in. */
export const accountPage = ({ account, follows, searches, clips }: AccountView): Page => ({
  head: {
    title: "Your account",
    description: "What you follow, your saved searches and your clips.",
    path: "/account",
    discreet: true
  },
  main: el(
    "div",
    { class: "wide top narrow" },
    heading("Your account"),
    el(
      "dl",
      {},
      fact("E-mail", account.email),
      account.name !== undefined && fact("Name", account.name),
      fact("Created", plainDate(account.created_at.slice(0, 10)))
    ),
    list(
      "follows",
      "What you follow",
      "You do not follow a place or a public body yet.",
      follows.map(({ name, path }) => el("a", { href: path }, name))
    ),
    list(
      "searches",
      "Saved searches",
      "You have no saved searches yet.",
      searches.map(({ name, path }) => el("a", { href: path }, name))
    ),
    list("clips", "Your clips", "You have not cut a clip yet.", clips.map(clipItem)),
    el(
      "section",
      { class: "list", "aria-labelledby": "data" },
      heading(el("span", { id: "data" }, "Your data")),
      el(
        "p",
        {},
        el("a", { href: "/api/me/export", download: true }, "Download everything that is stored about your account"),
        ", as JSON."
      ),
      web(
        el(
          "form",
          { method: "post", action: "/signout" },
          el("button", { type: "submit", class: "action" }, "Sign out")
        )
      ),
      prose(el("p", {}, "To sign out, POST to ", el("code", {}, "/api/auth/logout"), "."))
    )
  )
})

/** What a reader's account page shows. `SignInRequired` if the account was deleted meanwhile. */
export const loadAccount = Effect.fn("AccountPage.load")(function* (reader: AccountId) {
  const account = yield* (yield* Accounts).get(reader)
  const { agencies, places } = yield* (yield* Follows).get(reader)
  const directory = yield* Directory
  const bodies = (yield* directory.agencies).agencies.filter(({ slug }) => agencies.includes(slug))
  const known = (yield* directory.places).places
  const { saved_searches } = yield* (yield* SavedSearches).list(reader)
  const { clips } = yield* (yield* UserClips).list(reader, undefined)
  return accountPage({
    account,
    // A place without a meeting on record is in no list, but can be followed.
    follows: [
      ...bodies,
      ...places.map((slug) => known.find((place) => place.slug === slug) ?? { name: slug, path: `/in/${slug}` })
    ],
    searches: saved_searches,
    clips
  })
})
