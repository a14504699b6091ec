import { Effect } from "effect"
import { el, heading, type Kid } from "../../page-tree/tree.ts"
import { Follows } from "../../services/accounts/follows.ts"
import { Visits } from "../../services/accounts/visits.ts"
import { Directory } from "../../services/directory/directory.ts"
import type { News } from "../../services/directory/news.ts"
import { newsLine, newsOf } from "../parts/news.ts"
import { withQuery } from "../query.ts"
import { number } from "../said.ts"
import { act, byApi } from "./form.ts"
import { type LoadTask, taskPage } from "./task.ts"

interface Followed {
  readonly name: string
  readonly slug: string
  readonly path: string
  /** How many of its meetings are new since the last visit. */
  readonly fresh: number
}

const list = (id: "agency" | "place", title: string, empty: string, followed: ReadonlyArray<Followed>): Kid =>
  el(
    "section",
    { class: "list", "aria-labelledby": `${id}-list` },
    heading(el("span", { id: `${id}-list` }, title)),
    followed.length === 0
      ? el("p", { class: "note" }, empty)
      : el(
          "ul",
          { class: "dotted" },
          followed.map(({ name, slug, path, fresh }) =>
            el(
              "li",
              {},
              el("a", { href: path }, name),
              fresh > 0 && [" ", el("strong", { class: "new" }, `${number(fresh)} new`)],
              act(
                "/account/follows",
                "Stop following",
                { do: "unfollow", [id]: slug, return_to: "/account/follows" },
                name
              )
            )
          )
        )
  )

/** `/account/follows` */
export const loadFollows: LoadTask<Directory | Follows | News | Visits> = Effect.fn("AccountPage.follows")(
  function* (visit) {
    const { agencies, places } = yield* (yield* Follows).get(visit.reader)
    const directory = yield* Directory
    const bodies = (yield* directory.agencies).agencies.filter(({ slug }) => agencies.includes(slug))
    const known = (yield* directory.places).places
    const newSince = yield* (yield* Visits).newSince(visit.reader)
    const news = yield* newsOf({ newSince }, { agencies, places })
    const isEmpty = agencies.length + places.length === 0
    return taskPage(
      visit,
      {
        path: "/account/follows",
        title: "What you follow",
        description: "The public bodies and places that you follow."
      },
      el(
        "p",
        {},
        "Recaps of their meetings can be mailed to you: ",
        el("a", { href: "/account/mail" }, "choose what is mailed"),
        "."
      ),
      newsLine(news),
      !isEmpty &&
        el(
          "p",
          {},
          el(
            "a",
            { href: withQuery("/browse", { follow_agency: agencies, follow_place: places }) },
            "All their meetings"
          ),
          " · ",
          el(
            "a",
            { href: withQuery("/upcoming", { follow_agency: agencies, follow_place: places }) },
            "What comes next"
          )
        ),
      list(
        "agency",
        "Public bodies",
        "You follow no public body yet. Its page has a button for it.",
        bodies.map((body) => ({ ...body, fresh: news?.ofAgency.get(body.slug) ?? 0 }))
      ),
      list(
        "place",
        "Places",
        "You follow no place yet. Its page has a button for it.",
        // A place without a meeting on record is in no list, but can be followed.
        places.map((slug) => ({
          ...(known.find((place) => place.slug === slug) ?? { name: slug, slug, path: `/in/${slug}` }),
          fresh: news?.ofPlace.get(slug) ?? 0
        }))
      ),
      el("p", {}, el("a", { href: "/places" }, "Find a place or a public body")),
      byApi("To change the list", "PUT /api/me/follows")
    )
  }
)
