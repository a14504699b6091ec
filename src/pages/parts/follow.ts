import { Effect } from "effect"
import type { Viewer } from "../../../schema/viewer.ts"
import { el, type Kid, web } from "../../page-tree/tree.ts"
import { Follows } from "../../services/accounts/follows.ts"

/** Whether the viewer follows a body or a place; undefined if not signed in. */
export const isFollowed = Effect.fn("FollowButton.load")(function* (
  viewer: Viewer,
  kind: "agencies" | "places",
  slug: string
) {
  if (viewer._tag !== "Reader") return undefined
  return (yield* (yield* Follows).get(viewer.accountId))[kind].includes(slug)
})

interface Following {
  readonly field: "agency" | "place"
  readonly slug: string
  /** The page that the button is on. */
  readonly path: string
  /** Undefined if not signed in. */
  readonly followed: boolean | undefined
}

/** The button that follows a body or a place; without an account, a link to get one. */
export const followButton = ({ field, slug, path, followed }: Following): Kid =>
  web(
    followed === undefined
      ? el(
          "p",
          { class: "follow" },
          el("a", { href: `/signin?return_to=${encodeURIComponent(path)}` }, "Sign in to follow"),
          el("span", { class: "note" }, "Recaps of its meetings by e-mail; an account is free.")
        )
      : el(
          "form",
          { class: "follow", method: "post", action: "/account/follows" },
          el("input", { type: "hidden", name: field, value: slug }),
          el("input", { type: "hidden", name: "return_to", value: path }),
          el(
            "button",
            {
              type: "submit",
              class: followed ? "quiet" : undefined,
              name: "do",
              value: followed ? "unfollow" : "follow"
            },
            followed ? "Stop following" : "Follow"
          ),
          el(
            "span",
            { class: "note" },
            followed ? "You follow this. " : "Adds it to ",
            followed
              ? el("a", { href: "/account/mail" }, "Choose what is mailed to you")
              : [el("a", { href: "/account/follows" }, "what you follow"), ", for lists and recaps by e-mail."]
          )
        )
  )
