import { Effect } from "effect"
import type { EmailPreferences } from "../../../schema/account.ts"
import type { Viewer } from "../../../schema/viewer.ts"
import { el, type Kid, web } from "../../page-tree/tree.ts"
import { EmailPrefs } from "../../services/accounts/email-prefs.ts"
import { Follows } from "../../services/accounts/follows.ts"
import { signInAt } from "./paths.ts"

type Recaps = EmailPreferences["recaps"]

/** Whether a reader follows a body or a place, and the choice of mail that the button shows first. */
export interface FollowState {
  readonly followed: boolean
  readonly recaps: Recaps
}

/** A reader's state of a body or a place; undefined if not signed in. */
export const followState = Effect.fn("FollowButton.load")(function* (
  viewer: Viewer,
  kind: "agencies" | "places",
  slug: string
) {
  if (viewer._tag !== "Reader") return undefined
  const follows = yield* (yield* Follows).get(viewer.accountId)
  const { recaps } = yield* (yield* EmailPrefs).get(viewer.accountId)
  const isFirst = follows.agencies.length + follows.places.length === 0
  // The page promises recaps, so the first follow starts with them. Whoever follows something has already chosen.
  return {
    followed: follows[kind].includes(slug),
    recaps: isFirst && recaps === "off" ? "each" : recaps
  } satisfies FollowState
})

interface Following {
  readonly field: "agency" | "place"
  readonly slug: string
  /** The page that the button is on. */
  readonly path: string
  /** Undefined if not signed in. */
  readonly state: FollowState | undefined
}

const choices: Readonly<Record<Recaps, string>> = {
  each: "A recap after each meeting",
  daily: "One mail a day with the new recaps",
  weekly: "One mail a week with the new recaps",
  off: "No mail"
}

const mailed: Readonly<Record<Recaps, string>> = {
  each: "A recap is mailed to you after each meeting. ",
  daily: "New recaps are mailed to you once a day. ",
  weekly: "New recaps are mailed to you once a week. ",
  off: "No recaps are mailed to you. "
}

const mailChoice = (chosen: Recaps): Kid => [
  el("label", { for: "follow-recaps" }, "Mail about all that you follow"),
  el(
    "select",
    { id: "follow-recaps", name: "recaps" },
    Object.entries(choices).map(([value, words]) => el("option", { value, selected: value === chosen }, words))
  )
]

const button = (value: "follow" | "unfollow", words: string): Kid =>
  el("button", { type: "submit", class: value === "unfollow" ? "quiet" : undefined, name: "do", value }, words)

/** The button that follows a body or a place and asks what to mail; without an account, a link to get one. */
export const followButton = ({ field, slug, path, state }: Following): Kid =>
  web(
    state === undefined
      ? el(
          "p",
          { class: "follow" },
          el("a", { href: signInAt(path) }, "Sign in to follow"),
          el("span", { class: "note" }, "Recaps of its meetings by e-mail; an account is free.")
        )
      : el(
          "form",
          { class: "follow", method: "post", action: "/account/follows" },
          el("input", { type: "hidden", name: field, value: slug }),
          el("input", { type: "hidden", name: "return_to", value: path }),
          state.followed
            ? [
                button("unfollow", "Stop following"),
                el(
                  "span",
                  { class: "note" },
                  "You follow this. ",
                  mailed[state.recaps],
                  el("a", { href: "/account/mail" }, "Choose what is mailed to you")
                )
              ]
            : [
                mailChoice(state.recaps),
                button("follow", "Follow"),
                el(
                  "span",
                  { class: "note" },
                  "Adds it to ",
                  el("a", { href: "/account/follows" }, "what you follow"),
                  "."
                )
              ]
        )
  )
