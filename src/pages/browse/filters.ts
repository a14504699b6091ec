import type { BrowsePage, FacetName } from "../../../schema/browse.ts"
import { askedFacets, type BrowseQuery } from "../../../schema/browse-query.ts"
import { type El, el, heading, type Kid, prose, web } from "../../page-tree/tree.ts"
import { clampAtWord } from "../../text/clamp.ts"
import { nameKey } from "../../text/fold.ts"
import { type Values, valuesOf, withQuery } from "../query.ts"
import { number } from "../said.ts"

/** A browse request with its results. */
export interface Asked {
  readonly query: BrowseQuery
  readonly found: BrowsePage
  /** Names of the body and the place that the query is limited to, if they are on record. */
  readonly names: Readonly<Record<string, string>>
}

const facetLabels: Readonly<Record<FacetName, string>> = {
  state: "State",
  county: "County",
  city: "City",
  type: "Kind of body",
  agency: "Body",
  year: "Year",
  person: "Person",
  matter: "Matter",
  vote: "Vote"
}
const facetNames: ReadonlyArray<FacetName> = ["city", "county", "state", "type", "agency", "year", ...askedFacets]

const scopeLabels: Readonly<Record<string, string>> = {
  agency_slug: "Body",
  place_slug: "Place",
  follow_agency: "Followed body",
  follow_place: "Followed place"
}

/** Parameters that change how meetings are shown, not which. */
const display = new Set(["q", "page", "page_size", "group_by", "per_group", "sort", "exact", "after", "facet"])

const labelOf = (name: string): string =>
  Object.entries({ ...facetLabels, ...scopeLabels }).find(([known]) => known === name)?.[1] ??
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ")

/** Values compare as browse compares names. */
const alike = (a: string | number | boolean, b: string | number | boolean) => nameKey(String(a)) === nameKey(String(b))

/** The address of a query; `change` replaces parameters and returns to the first page. */
export const browsePath = (query: BrowseQuery, change: Values = { page: query.page }): string => {
  const { q, page: _, after: _1, ...rest } = query
  const { page, ...values } = { page: undefined, q, ...rest, ...change }
  return withQuery("/browse", { ...values, page: page === 1 ? undefined : page })
}

/** The address with one value of a filter toggled. */
const toggled = (query: BrowseQuery, name: string, value: string): string => {
  const now = Object.entries({ ...query }).flatMap(([key, value]) => (key === name ? valuesOf(value) : []))
  const without = now.filter((one) => !alike(one, value))
  return browsePath(query, { [name]: without.length === now.length ? [...now, value] : without })
}

export interface Chip {
  readonly label: string
  readonly value: string
  /** The same list without this filter. */
  readonly without: string
}

/** Every active filter, each with the address that drops it. */
export const chipsOf = ({ query, found, names }: Asked): ReadonlyArray<Chip> =>
  Object.entries({ ...query })
    .filter(([name]) => !display.has(name))
    .flatMap(([name, given]) =>
      valuesOf(given).map((one) => {
        const facet = facetNames.find((known) => known === name)
        const known = facet === undefined ? undefined : found.facets[facet]?.find(({ value }) => alike(value, one))
        const value = known?.label ?? names[String(one)] ?? String(one)
        return {
          label: labelOf(name),
          value: clampAtWord(value, longestLabel),
          without: toggled(query, name, String(one))
        }
      })
    )

/** The chips, each a link that drops its filter. */
export const chosen = (chips: ReadonlyArray<Chip>): Kid =>
  chips.length > 0 &&
  el(
    "ul",
    { class: "chosen", "aria-label": "Chosen filters" },
    chips.map(({ label, value, without }) =>
      el(
        "li",
        {},
        el(
          "a",
          { href: without },
          el("span", { class: "unseen" }, "Without "),
          `${label}: ${value}`,
          web(el("span", { "aria-hidden": true }, " ×"))
        )
      )
    )
  )

/** Matters have long titles. */
const longestLabel = 90

/** How many values a facet shows before the rest is folded. */
const shownValues = 10

interface FacetLink {
  readonly label: string
  readonly count: number
  readonly path: string
  readonly isChosen: boolean
}

const facetLinks = ({ query, found }: Asked, name: FacetName): ReadonlyArray<FacetLink> =>
  (found.facets[name] ?? []).map(({ value, label, count }) => ({
    label: clampAtWord(label, longestLabel),
    count,
    path: toggled(query, name, value),
    isChosen: (query[name] ?? []).some((one) => alike(one, value))
  }))

/** Facets with more than one value. */
const facetsOf = (asked: Asked) =>
  facetNames
    .map((name) => ({ label: facetLabels[name], links: facetLinks(asked, name) }))
    .filter(({ links }) => links.length > 1 || links.some(({ isChosen }) => isChosen))

const valueItem = ({ label, count, path, isChosen }: FacetLink): El =>
  el(
    "li",
    {},
    el("a", { href: path, "aria-current": isChosen ? "true" : undefined }, label),
    " ",
    el("span", { class: "num" }, number(count), el("span", { class: "unseen" }, count === 1 ? " meeting" : " meetings"))
  )

const valueList = (links: ReadonlyArray<FacetLink>): Kid => {
  const isShown = ({ isChosen }: FacetLink, index: number) => index < shownValues || isChosen
  const folded = links.filter((link, index) => !isShown(link, index))
  return [
    el("ul", { class: "values" }, links.filter(isShown).map(valueItem)),
    folded.length > 0 &&
      el(
        "details",
        { class: "rest" },
        el("summary", {}, `${number(folded.length)} more`),
        el("ul", { class: "values" }, folded.map(valueItem))
      )
  ]
}

/** The facets that are counted only if they are asked for. */
const morePath = ({ query, found }: Asked): string | undefined =>
  query.facet === undefined && found.total > 0 ? browsePath(query, { facet: askedFacets }) : undefined
const moreWords = "By person, matter and vote"

/** Filters beside the results; on a phone, folded above them. */
export const filterPanel = (asked: Asked): Kid => {
  const more = morePath(asked)
  return web(
    el(
      "aside",
      { class: "facets", "aria-label": "Filters" },
      el("a", { class: "skip-filters", href: "#results" }, "Skip the filters"),
      el(
        "details",
        { class: "fold" },
        el("summary", {}, "Filter these meetings"),
        el(
          "div",
          { class: "facet-list" },
          facetsOf(asked).map(({ label, links }) => el("section", {}, heading(label), valueList(links))),
          more !== undefined && el("p", { class: "more" }, el("a", { href: more, rel: "nofollow" }, moreWords))
        )
      )
    )
  )
}

/** The same filters in Markdown, after the results. */
export const filterProse = (asked: Asked): Kid => {
  const facets = facetsOf(asked)
  const more = morePath(asked)
  return (
    (facets.length > 0 || more !== undefined) &&
    prose(
      el(
        "section",
        {},
        heading("Narrow it"),
        facets.map(({ label, links }) =>
          el(
            "p",
            {},
            el("strong", {}, label),
            ": ",
            links.map(({ label, count, path, isChosen }, index) => [
              index > 0 && " · ",
              el("a", { href: path }, label),
              ` ${number(count)}${isChosen ? " (chosen)" : ""}`
            ])
          )
        ),
        more !== undefined && el("p", {}, el("a", { href: more }, moreWords))
      )
    )
  )
}
