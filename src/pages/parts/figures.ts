import { el, type Kid } from "../../page-tree/tree.ts"
import { number } from "../said.ts"

export const share = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${Math.round((100 * part) / whole)} %`

/** A bar as long as a share, beside its number. */
export const bar = (part: number, whole: number): Kid =>
  el(
    "svg",
    { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": true, focusable: "false" },
    el("rect", { x: 0, y: 0, width: whole === 0 ? 0 : (100 * part) / whole, height: 8 })
  )

/** Fewer figures need no chart beside their table. */
const leastCharted = 4

/** A column as high as each share, from 0 to 1, in the order given. The table beside it has the numbers. */
export const columnChart = (shares: ReadonlyArray<number>): Kid =>
  shares.length >= leastCharted &&
  el(
    "svg",
    {
      ...{ class: "chart", viewBox: `0 0 ${shares.length * 10} 100`, preserveAspectRatio: "none" },
      ...{ "aria-hidden": true, focusable: "false" }
    },
    shares.map((share, at) => el("rect", { x: at * 10 + 1, y: 100 - 100 * share, width: 8, height: 100 * share }))
  )

interface Figures<Row> {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
  /** The first cell, which names the row, and the others. */
  readonly cells: (row: Row) => readonly [Kid, ...ReadonlyArray<Kid>]
  /** Rows that are shown before the rest is folded away. */
  readonly most: number
}

/** A table of figures. */
export const figures = <Row>({ columns, rows, cells, most }: Figures<Row>): Kid => {
  const table = (some: ReadonlyArray<Row>) =>
    el(
      "table",
      { class: "figures" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          columns.map((name) => el("th", { scope: "col" }, name))
        )
      ),
      el(
        "tbody",
        {},
        some.map((row) => {
          const [name, ...others] = cells(row)
          return el(
            "tr",
            {},
            el("th", { scope: "row" }, name),
            others.map((cell) => el("td", { class: "num" }, cell))
          )
        })
      )
    )
  return [
    table(rows.slice(0, most)),
    rows.length > most &&
      el("details", {}, el("summary", {}, `${number(rows.length - most)} more`), table(rows.slice(most)))
  ]
}
