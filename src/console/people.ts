import { Effect } from "effect"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import { withQuery } from "../pages/query.ts"
import { number, plural } from "../pages/said.ts"
import type { NotFound } from "../services/failures.ts"
import { mostListed, PeopleAtWork, type PersonAtWork } from "../services/people/people-at-work.ts"
import { PersonMerge, type SamePerson } from "../services/people/person-merge.ts"
import { formField } from "./forms.ts"
import type { ConsoleAct, ConsoleLoad } from "./page.ts"
import { button, facts, field, filters, form, part, table } from "./parts.ts"

const seats = ({ seats }: PersonAtWork): string => (seats.length === 0 ? "–" : seats.join(", "))

const known = (person: PersonAtWork): Kid => [
  person.name,
  " ",
  el(
    "span",
    { class: "note" },
    `${person.slug}, ${plural(person.ballots, "vote or roll call", "votes and roll calls")}`
  )
]

/** `/people`: the people on record, those who may be one, and those who were merged, each with its button. */
export const loadPeople: ConsoleLoad<never, PeopleAtWork> = Effect.fn("Console.people")(function* ({ query }) {
  const name = query.get("name")?.trim() || undefined
  const work = yield* PeopleAtWork
  const { total, people } = yield* work.list(name)
  const [alike, merged] = name === undefined ? [yield* work.alike, yield* work.merged] : [[], []]
  return {
    title: "People",
    section: "/people",
    main: [
      heading("People"),
      filters("/people", field({ name: "name", label: "Name or slug", value: name, optional: true })),
      merged.length > 0 &&
        part(
          "Merged",
          table(
            "Merged people",
            ["Who", "Is shown with", ""],
            merged.map(({ slug, name, into, into_name }) => [
              [name, " ", el("span", { class: "note" }, slug)],
              [into_name, " ", el("span", { class: "note" }, into)],
              button({ to: `/people/${slug}/split`, label: "Take apart", about: slug, quiet: true })
            ]),
            "Nobody was merged."
          )
        ),
      alike.length > 0 &&
        part(
          "Perhaps one person",
          el("p", { class: "note" }, "People of one place with the same first and last name."),
          table(
            "People who may be one",
            ["Who", "May be", ""],
            alike.map(({ one, other }) => [
              known(one),
              known(other),
              el(
                "a",
                { href: withQuery("/people/merge", { from: one.slug, into: other.slug }) },
                "Compare",
                el("span", { class: "unseen" }, ` ${one.slug} and ${other.slug}`)
              )
            ]),
            "None."
          )
        ),
      part(
        "On record",
        el(
          "p",
          { class: "note", role: "status" },
          total > mostListed ? `The first ${mostListed} of ${number(total)} people` : plural(total, "person", "people")
        ),
        table(
          "People",
          ["Name", "Slug", "Place", "Seats", "Votes and roll calls"],
          people.map((person) => [
            el("a", { href: withQuery("/people/merge", { from: person.slug }) }, person.name),
            person.slug,
            person.place ?? "–",
            seats(person),
            number(person.ballots)
          ]),
          "Nobody is called so."
        )
      )
    ]
  }
})

/** `/people/merge?from&into`: both people side by side; with both named, the button that merges them. */
export const loadPersonMerge: ConsoleLoad<NotFound | SamePerson, PeopleAtWork> = Effect.fn("Console.personMerge")(
  function* ({ query }) {
    const [from, into] = [query.get("from")?.trim() ?? "", query.get("into")?.trim() ?? ""]
    const ask = filters(
      "/people/merge",
      field({ name: "from", label: "Slug of the person to merge", value: from }),
      field({ name: "into", label: "Slug of the person who remains", value: into })
    )
    const page = { title: "Merge two people", section: "/people" }
    if (from === "" || into === "") return { ...page, main: [heading("Merge two people"), ask] }
    const pair = yield* (yield* PeopleAtWork).pair(from, into)
    const about = (person: PersonAtWork) =>
      part(
        person.name,
        facts([
          ["Slug", person.slug],
          ["Place", person.place ?? "–"],
          ["Seats", seats(person)],
          ["Votes and roll calls", number(person.ballots)]
        ])
      )
    return {
      ...page,
      main: [
        heading("Merge two people"),
        ask,
        about(pair.from),
        about(pair.into),
        part(
          `${pair.from.name} is ${pair.into.name}`,
          el(
            "p",
            {},
            `Everything about ${pair.from.slug} is shown with ${pair.into.slug}, and its address leads there. They can be taken apart at any time.`
          ),
          form(
            "/people/merge",
            "Merge them",
            el("input", { type: "hidden", name: "from", value: pair.from.slug }),
            el("input", { type: "hidden", name: "into", value: pair.into.slug })
          )
        )
      ]
    }
  }
)

export const mergePeople: ConsoleAct<NotFound | SamePerson, PersonMerge> = Effect.fn("Console.mergePeople")(function* ({
  form
}) {
  const from = yield* formField(form, "from")
  const into = yield* formField(form, "into")
  const merged = yield* PersonMerge.use((people) => people.merge(from, into))
  return { to: "/people", said: `${merged} is shown with ${into} from now on.` }
})

/** Takes somebody apart from whom they were merged into. */
export const splitPerson: ConsoleAct<NotFound, PersonMerge> = Effect.fn("Console.splitPerson")(function* ({ params }) {
  const slug = params.slug ?? ""
  const wasMerged = yield* PersonMerge.use((people) => people.split(slug))
  return { to: "/people", said: wasMerged ? `${slug} stands alone again.` : `${slug} was not merged.` }
})
