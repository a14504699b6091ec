import { Effect, Schema } from "effect"
import type { Membership, Person } from "../../schema/people.ts"
import type { PersonSaid } from "../../schema/person-said.ts"
import type { Viewer } from "../../schema/viewer.ts"
import { type PersonVotes, PersonVotesQuery } from "../../schema/vote.ts"
import { el, heading, type Kid, prose } from "../page-tree/tree.ts"
import { People } from "../services/people/people.ts"
import { Said } from "../services/people/said.ts"
import { Votes } from "../services/people/votes.ts"
import { optionWords } from "../text/vote-words.ts"
import type { Load, Page } from "./page.ts"
import { alertButton } from "./parts/alert.ts"
import { moment } from "./parts/card.ts"
import { bar, columnChart, figures, share } from "./parts/figures.ts"
import { personData } from "./parts/linked-data.ts"
import { listed } from "./parts/listed.ts"
import { pager } from "./parts/pager.ts"
import { meetingsShown, saidSection } from "./parts/spoke.ts"
import { matterLink, officeOf, tally } from "./parts/votes.ts"
import { queryDecoder, withQuery } from "./query.ts"
import { number, plainDate, plural } from "./said.ts"

/** Seats that are shown before the rest is folded away. */
const seatsShown = 8

/** Until when a seat was held, or since when it is. */
const when = ({ start, end }: Membership): string => {
  if (start === undefined) return end === undefined ? "" : `until ${plainDate(end)}`
  return end === undefined ? `since ${plainDate(start)}` : `${plainDate(start)} to ${plainDate(end)}`
}

const seat = (one: Membership): Kid =>
  el(
    "li",
    {},
    one.agency === undefined ? one.name : el("a", { href: one.agency.path }, one.name),
    " ",
    el(
      "span",
      { class: "note" },
      [officeOf(one), one.district, one.party, when(one)].filter((part) => part !== undefined && part !== "").join(", ")
    )
  )

/** Years, and colleagues, that are shown before the rest is folded away. */
const yearsShown = 8
const colleaguesShown = 12

const years = ({ years }: Person): Kid => {
  const voted = years.filter(({ votes }) => votes > 0)
  return (
    voted.length > 0 &&
    listed(
      { id: "years", title: "Votes by year" },
      figures({
        columns: ["Year", "Votes", "No", "Absent or excused", "Against the majority"],
        rows: voted,
        cells: ({ year, ...row }) => [
          String(year),
          ...[row.votes, row.no, row.absent, row.against_majority].map((value) => number(value))
        ],
        most: yearsShown
      })
    )
  )
}

const attendance = ({ years }: Person): Kid => {
  const called = years.filter((year) => year.called > 0)
  return (
    called.length > 0 &&
    listed(
      { id: "attendance", title: "Attendance" },
      el("p", { class: "note" }, "Present when the roll was called, where that is on record."),
      columnChart(called.toReversed().map((year) => year.present / year.called)),
      figures({
        columns: ["Year", "Present", "Roll calls", "Share"],
        rows: called,
        cells: ({ year, present, called }) => [
          String(year),
          number(present),
          number(called),
          [share(present, called), " ", bar(present, called)]
        ],
        most: yearsShown
      })
    )
  )
}

const agreement = ({ agreement, name }: Person): Kid =>
  agreement.length > 0 &&
  listed(
    { id: "agreement", title: "Who votes alike" },
    el("p", { class: "note" }, `Where some voted yes and some no: how often others voted as ${name} did.`),
    columnChart(agreement.map(({ agree, differ }) => agree / (agree + differ))),
    figures({
      columns: ["Member", "Alike", "Otherwise", "Share"],
      rows: agreement,
      cells: ({ person, agree, differ }) => [
        el("a", { href: person.path }, person.name),
        number(agree),
        number(differ),
        [share(agree, agree + differ), " ", bar(agree, agree + differ)]
      ],
      most: colleaguesShown
    })
  )

const voteItem = (vote: PersonVotes["votes"][number]): Kid => {
  const { meeting, matter, option, with_majority, start } = vote
  const subject = meeting?.item?.title ?? matter?.title ?? vote.motion ?? "Vote"
  return el(
    "li",
    {},
    el(
      "p",
      {},
      el("strong", { class: `option ${option}` }, optionWords[option]),
      prose(": "),
      " ",
      subject,
      matter !== undefined && [" ", matterLink(matter)]
    ),
    el(
      "p",
      { class: "note" },
      meeting === undefined
        ? plainDate(vote.date)
        : el("a", { href: `${meeting.path}#votes` }, `${meeting.body.name}, ${plainDate(vote.date)}`),
      meeting !== undefined &&
        start !== undefined && [" ", moment(`${meeting.path}?t=${Math.floor(start)}`, start, "Hear it")],
      " · ",
      tally(vote),
      with_majority === false && [" · ", el("span", { class: "against" }, "Against the majority")]
    )
  )
}

interface PersonView {
  readonly person: Person
  readonly said: PersonSaid
  readonly votes: PersonVotes
  /** Which votes are listed. */
  readonly only: "all" | "divided" | "against"
  readonly viewer: Viewer
}

const lists = [
  ["all", "All votes", {}],
  ["divided", "Divided votes", { divided: "1" }],
  ["against", "Against the majority", { majority: "against" }]
] as const

/** `/people/{slug}`: what somebody sits on, how they voted, what they said, and who votes alike. */
const personPage = (view: PersonView): Page => {
  const { person, votes, only, viewer } = view
  const { name, path, place, memberships } = person
  const query = lists.find(([key]) => key === only)?.[2] ?? {}
  const pages = Math.ceil(votes.total / votes.page_size)
  const facts = [
    plural(person.votes, "vote"),
    `${number(person.divided_votes)} of them divided`,
    `${number(person.against_majority)} against the majority`,
    ...(person.attendance === undefined
      ? []
      : [
          `present at ${number(person.attendance.present)} of ${plural(person.attendance.called, "roll call")} on record`
        ])
  ]
  return {
    head: {
      title: name,
      description: `${name}: seats, votes and attendance${place === undefined ? "" : ` in ${place.name}`}.`,
      path: withQuery(path, { ...query, page: votes.page > 1 ? votes.page : undefined }),
      access: "open",
      current: "places",
      json: `/api${path}`,
      feed: { href: `${path}.atom`, title: `Votes of ${name}` },
      jsonFeed: { href: `${path}.json`, title: `Votes of ${name}` },
      data: personData(person),
      crumbs: [...(place === undefined ? [] : [place]), { name, path }]
    },
    main: [
      el(
        "div",
        { class: "wide top" },
        el("p", { class: "place-line" }, place === undefined ? "In public office" : `In public office, ${place.name}`),
        heading(name),
        el("p", { class: "lede" }, `${facts.join(", ")}.`),
        person.other_names !== undefined && el("p", { class: "note" }, `Also ${person.other_names.join(", ")}.`),
        alertButton({
          query: `person=${person.slug}`,
          name,
          path,
          viewer,
          says: "Each new vote of theirs"
        }),
        el(
          "ul",
          { class: "facts", inline: true },
          view.said.total > 0 && el("li", {}, el("a", { href: "#said" }, "What they said")),
          person.sponsored > 0 && el("li", {}, `${plural(person.sponsored, "matter")} sponsored`),
          person.source_url !== undefined &&
            el(
              "li",
              {},
              el("a", { href: person.source_url, rel: "external" }, `Website: ${new URL(person.source_url).host}`)
            )
        )
      ),
      el(
        "div",
        { class: "wide split" },
        el(
          "div",
          { class: "side" },
          listed(
            { id: "seats", title: "Seats and offices" },
            memberships.length === 0
              ? el("p", { class: "note" }, "None is on record.")
              : el("ul", { class: "dotted" }, memberships.slice(0, seatsShown).map(seat)),
            memberships.length > seatsShown &&
              el(
                "details",
                {},
                el("summary", {}, `${number(memberships.length - seatsShown)} earlier`),
                el("ul", { class: "dotted" }, memberships.slice(seatsShown).map(seat))
              )
          ),
          years(person),
          attendance(person),
          agreement(person)
        ),
        el(
          "div",
          { class: "side" },
          listed(
            { id: "votes", title: "Votes", kind: "results" },
            el(
              "ul",
              { class: "facts", inline: true },
              lists.map(([key, words, list]) =>
                el(
                  "li",
                  {},
                  key === only
                    ? el("strong", { "aria-current": "true" }, words)
                    : el("a", { href: withQuery(path, list) }, words)
                )
              )
            ),
            votes.votes.length === 0
              ? el("p", { class: "note" }, votes.total === 0 ? "No such vote is on record." : "There is no such page.")
              : el("ol", { class: "votes" }, votes.votes.map(voteItem)),
            pager({
              page: votes.page,
              pages,
              path: (page) => withQuery(path, { ...query, page: page > 1 ? page : undefined })
            })
          ),
          saidSection(person, view.said)
        )
      )
    ]
  }
}

const { divided, majority, page } = PersonVotesQuery.fields
const decode = queryDecoder(Schema.Struct({ divided, majority, page }))

export const loadPerson: Load<People | Said | Votes> = Effect.fn("PersonPage.load")(function* ({
  params,
  query,
  viewer
}) {
  const [people, votesOn, saidBy] = [yield* People, yield* Votes, yield* Said]
  const slug = params.slug ?? ""
  const asked = yield* decode(query)
  const only = asked.majority === "against" ? "against" : asked.divided === "1" ? "divided" : "all"
  const list = lists.find(([key]) => key === only)?.[2] ?? {}
  const [person, votes, said] = yield* Effect.all(
    [
      people.person(slug),
      votesOn.ofPerson(slug, { ...list, page: asked.page ?? 1, page_size: 30 }, viewer),
      saidBy.byPerson(slug, { page_size: meetingsShown }, viewer)
    ],
    { concurrency: 2 }
  )
  if (person.slug !== slug) return { movedTo: person.path }
  return personPage({ person, votes, said, only, viewer })
})
