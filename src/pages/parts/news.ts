import { Effect } from "effect"
import type { AccountFollows } from "../../../schema/account.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { el, heading, type Kid } from "../../page-tree/tree.ts"
import { Follows } from "../../services/accounts/follows.ts"
import { type Changes, News } from "../../services/directory/news.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import type { Asked } from "../page.ts"
import { plainDate, plural } from "../said.ts"
import { comingCard, heldCard } from "./card.ts"

/** The most meetings that home lists as new. */
const mostListed = 6

/** The end of the visit before, as a day. */
const lastVisit = (since: string): Kid => [
  "your last visit on ",
  el("time", { datetime: since }, plainDate(since.slice(0, 10)))
]

/** What is new in one body or place to the reader who is asking; undefined where nobody is signed in. */
export const newsOf = Effect.fnUntraced(function* ({ newSince }: Pick<Asked, "newSince">, follows: AccountFollows) {
  return newSince === undefined ? undefined : yield* (yield* News).since(follows, newSince, mostListed)
})

/** How much is new here, in a line; nothing where nothing is. */
export const newsLine = (news: Changes | undefined): Kid =>
  news !== undefined &&
  news.total > 0 &&
  el("p", { class: "news" }, `${plural(news.total, "meeting")} new or changed since `, lastVisit(news.since), ".")

/** What is new in all that the reader follows. */
export interface FollowedNews {
  readonly news: Changes
  readonly cards: ReadonlyArray<MeetingCard>
  readonly follows: AccountFollows
}

/** What is new to the reader who is asking; undefined where nobody is signed in, and on a first visit. */
export const followedNews = Effect.fnUntraced(function* ({ viewer, newSince }: Asked) {
  if (viewer._tag !== "Reader" || newSince === undefined) return undefined
  const follows = yield* (yield* Follows).get(viewer.accountId)
  const news = yield* (yield* News).since(follows, newSince, mostListed)
  return { news, follows, cards: yield* (yield* Meetings).cards(news.newest) } satisfies FollowedNews
})

/** The meetings of what the reader follows that are new, first on home. */
export const newsSection = (found: FollowedNews | undefined): Kid => {
  if (found === undefined) return false
  const { news, cards, follows } = found
  const isEmpty = follows.agencies.length + follows.places.length === 0
  return el(
    "section",
    { class: "list wide news-of-follows", "aria-labelledby": "news" },
    heading(el("span", { id: "news" }, "New in what you follow")),
    isEmpty
      ? el(
          "p",
          { class: "note" },
          "Follow a place or a public body, and what is new there is listed here. ",
          el("a", { href: "/places" }, "Find one")
        )
      : el(
          "p",
          { class: "note" },
          news.total === 0
            ? "Nothing is new or changed since "
            : `${plural(news.total, "meeting")} new or changed since `,
          lastVisit(news.since),
          "."
        ),
    cards.length > 0 &&
      el(
        "ol",
        { class: "entries" },
        cards.map((card) => (card.status === "held" ? heldCard(card) : comingCard(card)))
      ),
    !isEmpty && el("p", { class: "more" }, el("a", { href: "/account/follows" }, "What you follow"))
  )
}
