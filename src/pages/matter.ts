import { Effect } from "effect"
import type { Viewer } from "../../schema/viewer.ts"
import type { Matter } from "../../schema/vote.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import { Matters } from "../services/people/matters.ts"
import type { Load, Page } from "./page.ts"
import { alertButton } from "./parts/alert.ts"
import { moment } from "./parts/card.ts"
import { matterData } from "./parts/linked-data.ts"
import { listed } from "./parts/listed.ts"
import { discussion, folded } from "./parts/spoke.ts"
import { way } from "./parts/way.ts"
import { plainDate } from "./said.ts"

const kindWords: Readonly<Record<Matter["kind"], string>> = {
  ordinance: "Ordinance",
  resolution: "Resolution",
  motion: "Motion",
  land_use: "Land use",
  appointment: "Appointment",
  hearing: "Hearing",
  communication: "Communication",
  other: "Matter"
}

const statusWords: Readonly<Record<Matter["status"], string>> = {
  introduced: "Introduced",
  in_committee: "In committee",
  passed: "Passed",
  failed: "Failed",
  enacted: "Enacted",
  vetoed: "Vetoed",
  withdrawn: "Withdrawn",
  filed: "Filed",
  other: "Open"
}

export const statusOf = ({ status, status_label }: Matter): string => status_label ?? statusWords[status]

/** Its kind and number: `Ordinance 3318`, and `Introduction Int 0804-1996`. */
const calledBy = ({ kind, kind_label = kindWords[kind], identifier }: Matter): string =>
  identifier.toLowerCase().startsWith(kind_label.toLowerCase()) ? identifier : `${kind_label} ${identifier}`

/** A meeting at which its number is said, with a way to the second. */
const mention = ({ meeting, start }: Matter["mentions"][number]): Kid =>
  el(
    "li",
    {},
    el("p", { class: "when" }, el("time", { datetime: meeting.date }, plainDate(meeting.date))),
    el(
      "p",
      {},
      el("a", { href: meeting.path }, meeting.body.name),
      start !== undefined && [" ", moment(`${meeting.path}?t=${Math.floor(start)}`, start, "Hear it")]
    )
  )

/** Paragraphs longer than this are folded away. */
const longestTold = 400

/** What it is about, in the words of who wrote it: the first paragraph, and the rest on demand. */
const told = ({ description = "", title }: Matter): Kid => {
  const [first = "", ...rest] = description.split(/\n+/).filter((paragraph) => paragraph !== title)
  if (first.length > longestTold) rest.unshift(first)
  return [
    first !== "" && first.length <= longestTold && el("p", { class: "summary" }, first),
    rest.length > 0 &&
      el(
        "details",
        {},
        el("summary", {}, "In full"),
        rest.map((paragraph) => el("p", {}, paragraph))
      )
  ]
}

/** Sponsors, and documents, that are shown before the rest is folded away. */
const sponsorsShown = 12
const documentsShown = 8

const sponsorList = (sponsors: Matter["sponsors"]): Kid =>
  folded(
    sponsors.map(({ person, name, is_primary }) =>
      el(
        "li",
        {},
        person === undefined ? name : el("a", { href: person.path }, person.name),
        is_primary && sponsors.length > 1 && [" ", el("span", { class: "note" }, "first")]
      )
    ),
    sponsorsShown
  )

const documentList = (documents: NonNullable<Matter["attachments"]>): Kid =>
  folded(
    documents.map(({ title, url }) => el("li", {}, el("a", { href: url, rel: "external" }, title))),
    documentsShown
  )

/** `/in/{place}/matters/{slug}`: what is decided, and its way through the bodies. */
const matterPage = (matter: Matter, viewer: Viewer): Page => {
  const { identifier, title, path, place, slug, agency, sponsors, attachments = [] } = matter
  const facts = [
    statusOf(matter),
    ...(matter.introduced_on === undefined ? [] : [`introduced on ${plainDate(matter.introduced_on)}`]),
    ...(matter.enacted_as === undefined ? [] : [`law ${matter.enacted_as}`])
  ]
  return {
    head: {
      title: `${identifier}: ${title}`.slice(0, 110),
      description: `${calledBy(matter)} of ${place.name}: its way through the bodies, with votes.`,
      path,
      access: "open",
      current: "places",
      updated: matter.updated_at,
      ...(matter.source_url === undefined ? {} : { source: matter.source_url }),
      json: `/api/matters/${slug}`,
      feed: { href: `${path}.atom`, title: `${identifier}: ${title}`.slice(0, 110) },
      jsonFeed: { href: `${path}.json`, title: `${identifier}: ${title}`.slice(0, 110) },
      data: matterData(matter),
      image: `${path}.png`,
      crumbs: [place, ...(agency === undefined ? [] : [agency]), { name: identifier, path }]
    },
    main: [
      el(
        "div",
        { class: "wide top" },
        el("p", { class: "place-line" }, calledBy(matter)),
        heading(title),
        el("p", { class: "lede" }, `${facts.join(", ")}.`),
        told(matter),
        alertButton({
          query: `matter=${slug}`,
          name: `${identifier}: ${title}`,
          path,
          viewer,
          says: "Each new action and vote on it"
        })
      ),
      el(
        "div",
        { class: "wide split" },
        el(
          "div",
          { class: "side" },
          listed(
            { id: "sponsors", title: sponsors.length === 1 ? "Sponsor" : "Sponsors" },
            sponsors.length === 0 ? el("p", { class: "note" }, "None is on record.") : sponsorList(sponsors)
          ),
          attachments.length > 0 && listed({ id: "documents", title: "Documents" }, documentList(attachments))
        ),
        el(
          "div",
          { class: "side" },
          listed(
            { id: "history", title: "Its way", kind: "results" },
            matter.history.length === 0
              ? el("p", { class: "note" }, "No action is on record.")
              : way(matter.history, path)
          ),
          matter.discussions.length > 0 &&
            listed(
              { id: "speakers", title: "Who spoke", kind: "results" },
              el(
                "ol",
                { class: "way" },
                matter.discussions.map((one) => discussion(one, path))
              )
            ),
          matter.mentions.length > 0 &&
            listed(
              { id: "mentions", title: "Also spoken of", kind: "results" },
              el("ol", { class: "way" }, matter.mentions.map(mention))
            )
        )
      )
    ]
  }
}

export const loadMatter: Load<Matters> = Effect.fn("MatterPage.load")(function* ({ params, viewer }) {
  const matter = yield* (yield* Matters).matter(params.slug ?? "", viewer)
  const isHere = matter.path === `/in/${params.place}/matters/${params.slug}`
  return isHere ? matterPage(matter, viewer) : { movedTo: matter.path }
})
