import { el, type Kid } from "../../page-tree/tree.ts"

/** A point of a line: its height, and where a click on it leads. */
interface Point {
  readonly value: number | undefined
  readonly href: string
}

/** The chart's own units. */
const width = 960
const height = 240
/** Half of a point that can be clicked. */
const half = 4

/**
 * Lines over one axis, each point a link. The table beside it has the same numbers and links, so the chart is left out
 * for a screen reader and for the keyboard. Where nothing was held, a line has a gap.
 */
export const lineChart = (lines: ReadonlyArray<ReadonlyArray<Point>>): Kid => {
  const length = Math.max(0, ...lines.map((line) => line.length))
  const top = Math.max(0, ...lines.flatMap((line) => line.map(({ value = 0 }) => value)))
  const x = (at: number) => Math.round(length < 2 ? width / 2 : half + (at * (width - 2 * half)) / (length - 1))
  const y = (value: number) => Math.round(height - half - (top === 0 ? 0 : (value / top) * (height - 2 * half)))
  const drawn = (line: ReadonlyArray<Point>) =>
    line
      .map(({ value }, at) =>
        value === undefined ? "" : `${line[at - 1]?.value === undefined ? "M" : "L"}${x(at)} ${y(value)}`
      )
      .join("")
  return el(
    "svg",
    { class: "trend", viewBox: `0 0 ${width} ${height}`, "aria-hidden": true, focusable: "false" },
    lines.map((line, nth) =>
      [el("path", { class: `line-${nth + 1}`, d: drawn(line) })].concat(
        line.flatMap(({ value, href }, at) =>
          value === undefined
            ? []
            : el(
                "a",
                { href, tabindex: -1, class: `point-${nth + 1}` },
                el("rect", { x: x(at) - half, y: y(value) - half, width: 2 * half, height: 2 * half })
              )
        )
      )
    )
  )
}
