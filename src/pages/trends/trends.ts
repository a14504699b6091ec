import { Effect, Struct } from "effect"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import {
  type Trends as Found,
  mostSeries,
  type TrendPeriod,
  type TrendPoint,
  type TrendSeries,
  TrendsPageQuery
} from "../../../schema/trends.ts"
import { el, heading, type Kid, prose, web } from "../../page-tree/tree.ts"
import { Trends } from "../../services/search/trends.ts"
import { browsePath } from "../browse/filters.ts"
import type { Load, Page } from "../page.ts"
import { figures } from "../parts/figures.ts"
import { queryDecoder, valuesOf, withQuery } from "../query.ts"
import { longDate, nothingHeld, number, plural } from "../said.ts"
import { lineChart } from "./chart.ts"

type Query = typeof TrendsPageQuery.Type

interface View {
  readonly query: Query
  readonly found: Found | undefined
}

const periodWords = { year: "Year", quarter: "Quarter", month: "Month" } as const

const measureWords = {
  meetings: "Number of meetings",
  share: "Share of all meetings",
  per_million_words: "Meetings per million words spoken"
} as const

const groupWords = { agency: "The bodies that say it most", place: "The places where it is said most" } as const

/** Rows of the table that are shown before the rest is folded away. */
const rowsShown = 24

/** Empty fields that wait for another search. */
const fieldsShown = 3

/** The filters of a query, as browse takes them. */
const filtersOf = (query: Query): BrowseQuery => Struct.omit(query, ["q", "by", "measure", "group"])

const select = (name: string, label: string, words: Readonly<Record<string, string>>, chosen: string | undefined) =>
  el(
    "div",
    { class: "field" },
    el("label", { for: name }, label),
    el(
      "select",
      { id: name, name },
      Object.entries(words).map(([value, word]) => el("option", { value, selected: value === chosen }, word))
    )
  )

const day = (name: "date_from" | "date_to", label: string, value: string | undefined) =>
  el(
    "div",
    { class: "field" },
    el("label", { for: name }, label),
    el("input", { id: name, name, type: "text", value, maxlength: 10, placeholder: "2026-03-31" })
  )

const form = ({ query }: View): Kid => {
  const { q = [], by, measure, group, date_from, date_to, ...others } = query
  const fields = Array.from({ length: Math.min(mostSeries, Math.max(fieldsShown, q.length + 1)) }, (_, at) => q[at])
  return web(
    el(
      "form",
      { class: "trend-form", action: "/trends", method: "get" },
      el(
        "fieldset",
        {},
        el("legend", {}, "Words to compare"),
        fields.map((value, at) =>
          el("input", { type: "search", name: "q", value, maxlength: 200, "aria-label": `Search ${at + 1}` })
        )
      ),
      select("by", "By", periodWords, by),
      select("measure", "Counted as", measureWords, measure),
      select("group", "Lines", { "": "One for each search", ...groupWords }, group),
      day("date_from", "Not before", date_from),
      day("date_to", "Not after", date_to),
      Object.entries(others).flatMap(([name, value]) =>
        valuesOf(value).map((one) => el("input", { type: "hidden", name, value: String(one) }))
      ),
      el("button", { type: "submit" }, "Count")
    )
  )
}

/** The meetings behind a point. A place's line within a place is narrowed by both. */
const meetingsOf = (query: Query, { q, agency, place }: TrendSeries, { from, to }: TrendPeriod): string => {
  const filters = filtersOf(query)
  const at = filters.place_slug === undefined ? { place_slug: place?.slug } : { follow_place: place?.slug }
  return browsePath(
    { ...filters, q, exact: "1", date_from: from, date_to: to },
    { ...(agency === undefined ? {} : { agency_slug: agency.slug }), ...(place === undefined ? {} : at) }
  )
}

const lineName = ({ q, agency, place }: TrendSeries): string => agency?.name ?? place?.name ?? q

/** A value as the table says it. */
const said = ({ measure }: Found, { count, value }: TrendPoint): string => {
  if (measure === "meetings") return number(count)
  if (value === undefined) return "–"
  return measure === "share"
    ? `${(100 * value).toFixed(1)} % (${number(count)})`
    : `${value.toPrecision(3)} (${number(count)})`
}

const highest = (found: Found): string => {
  const points = found.series.flatMap(({ points }) => points)
  const [top] = points.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0))
  return top === undefined ? "" : said(found, top)
}

const figure = ({ query }: View, found: Found): Kid => {
  const { periods, series } = found
  const [first, last] = [periods.at(0), periods.at(-1)]
  return web(
    el(
      "figure",
      { class: "trend-figure" },
      el("p", { class: "note" }, `Highest: ${highest(found)}`),
      lineChart(
        series.map((line) =>
          line.points.flatMap(({ value }, at) => {
            const period = periods[at]
            return period === undefined ? [] : { value, href: meetingsOf(query, line, period) }
          })
        )
      ),
      el("p", { class: "trend-ends note" }, el("span", {}, first?.period), el("span", {}, last?.period)),
      el(
        "figcaption",
        {},
        el(
          "ul",
          { class: "trend-key", inline: true },
          series.map((line, nth) =>
            el("li", { class: `key-${nth + 1}` }, lineName(line), ` ${plural(line.total, "meeting")}`)
          )
        )
      )
    )
  )
}

const table = ({ query }: View, found: Found): Kid => {
  const { by, periods, series } = found
  const rows = figures({
    columns: [periodWords[by], ...series.map(lineName), "All meetings", "With words on record"],
    rows: [...periods.keys()].toReversed(),
    cells: (at) => {
      const period = periods[at]
      if (period === undefined) return [""]
      return [
        [period.period, !period.complete && " *"],
        ...series.map((line) => {
          const point = line.points[at]
          if (point === undefined) return "–"
          const text = said(found, point)
          return point.count === 0 ? text : el("a", { href: meetingsOf(query, line, period) }, text)
        }),
        number(period.meetings),
        number(period.with_transcript)
      ]
    },
    most: rowsShown
  })
  return el("div", { class: "trend-table", tabindex: 0, role: "region", "aria-label": "Figures" }, rows)
}

const result = (view: View): Kid => {
  const { query, found } = view
  if (found === undefined) return false
  const { periods, measure } = found
  if (periods.length === 0) return el("p", { class: "empty", role: "status" }, nothingHeld)
  return el(
    "section",
    { id: "result" },
    heading(measureWords[measure]),
    figure(view, found),
    table(view, found),
    periods.some(({ complete }) => !complete) &&
      el("p", { class: "note" }, "* Not over yet, or fewer than half of its meetings have their words on record."),
    el(
      "ul",
      { class: "ways", inline: true, "aria-label": "These figures elsewhere" },
      el("li", {}, el("a", { href: withQuery("/trends.csv", query) }, "CSV")),
      el("li", {}, el("a", { href: withQuery("/api/trends", query) }, "JSON")),
      el("li", {}, el("a", { href: browsePath(filtersOf(query), { q: query.q?.[0], exact: "1" }) }, "The meetings"))
    )
  )
}

/** The filters in words, with a way out of them. */
const narrowed = ({ query }: View): Kid => {
  const { date_from, date_to, ...others } = filtersOf(query)
  const values = Object.values(others)
    .flatMap((value) => valuesOf(value))
    .map(String)
  const days = [
    date_from === undefined ? "" : `from ${longDate(date_from)}`,
    date_to === undefined ? "" : `to ${longDate(date_to)}`
  ]
  const words = [...values, ...days].filter((word) => word !== "")
  return (
    words.length > 0 &&
    el(
      "p",
      {},
      `Only ${words.join(", ")}. `,
      el("a", { href: withQuery("/trends", Struct.pick(query, ["q", "by", "measure", "group"])) }, "Count everything")
    )
  )
}

const trendsPage = (view: View): Page => {
  const { query } = view
  const asked = (query.q ?? []).map((q) => `“${q}”`).join(", ")
  return {
    head: {
      title: asked === "" ? "Trends" : `Trends: ${asked}`,
      description: "How often something comes up at public meetings, over years, quarters or months.",
      path: withQuery("/trends", query),
      access: "open",
      ...(asked === "" ? {} : { json: withQuery("/api/trends", query) })
    },
    main: el(
      "div",
      { class: "wide top" },
      heading("Trends"),
      el(
        "p",
        { class: "lede" },
        "Count the meetings at which something comes up, over time. Click on a point, or a number, to see them."
      ),
      form(view),
      prose(
        el(
          "p",
          {},
          "To count, fetch ",
          el("code", {}, "/md/trends?q=WORDS&by=year"),
          "; the filters of browse narrow it."
        )
      ),
      narrowed(view),
      result(view)
    )
  }
}

const decode = queryDecoder(TrendsPageQuery)

/** `/trends`: how often searches match, over time. */
export const loadTrends: Load<Trends> = Effect.fn("TrendsPage.load")(function* ({ query: asked }) {
  const query = yield* decode(asked)
  const { q } = query
  const found = q === undefined ? undefined : yield* (yield* Trends).read({ ...query, q })
  return trendsPage({ query, found })
})
