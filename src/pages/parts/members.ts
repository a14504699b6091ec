import { DateTime, Effect } from "effect"
import type { People as PeopleOnRecord } from "../../../schema/people.ts"
import { el, type Kid, prose } from "../../page-tree/tree.ts"
import { People } from "../../services/people/people.ts"
import { plural } from "../said.ts"
import { listed } from "./listed.ts"
import { officeOf } from "./votes.ts"

type Members = PeopleOnRecord["people"]

/** The most members that a page names. */
const mostNamed = 100

/** Who sits on these bodies today. */
export const membersNow = Effect.fnUntraced(function* (
  of: { readonly agency_slug: string } | { readonly place_slug: string }
) {
  const on = DateTime.formatIsoDate(yield* DateTime.now)
  const { people } = yield* (yield* People).list({ ...of, on, page_size: mostNamed })
  return people
})

/** Those first who lead, then everybody by name. */
const leads = new Set(["chair", "mayor", "vice_chair"])

/** The members of a body with their offices, under a heading. */
export const membersOf = (slug: string, members: Members): Kid => {
  const seated = members.flatMap((person) => {
    const seats = person.memberships.filter(({ agency }) => agency?.slug === slug)
    const seat = seats.find(({ role }) => leads.has(role)) ?? seats[0]
    return seat === undefined ? [] : [{ person, seat }]
  })
  return (
    seated.length > 0 &&
    listed(
      { id: "members", title: "Members now" },
      el(
        "ul",
        { class: "dotted" },
        seated
          .toSorted((a, b) => Number(leads.has(b.seat.role)) - Number(leads.has(a.seat.role)))
          .map(({ person, seat }) =>
            el(
              "li",
              {},
              el("a", { href: person.path }, person.name),
              " ",
              el(
                "span",
                { class: "note" },
                [officeOf(seat), seat.district].filter((part) => part !== undefined).join(", ")
              )
            )
          )
      )
    )
  )
}

/** The most members that a list of bodies names in a line; of a larger body it names them on demand. */
const mostInLine = 9

/** The members of a body in one line. */
export const membersInLine = (slug: string, members: Members): Kid => {
  const seated = members.filter(({ memberships }) => memberships.some(({ agency }) => agency?.slug === slug))
  const names = seated.map(({ name, path }, at) => [at > 0 && ", ", el("a", { href: path }, name)])
  if (seated.length <= mostInLine) return seated.length > 0 && el("p", { class: "note" }, prose("Members: "), names)
  return el(
    "details",
    { class: "note" },
    el("summary", {}, plural(seated.length, "member")),
    el("p", { class: "note" }, names)
  )
}
