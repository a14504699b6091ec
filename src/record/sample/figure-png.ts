import type { TopLevelSpec } from "vega-lite"
import { fontFile } from "../../../layers/renderer/args.ts"

/** A chart: one bar or point per value, in order. */
interface Figure {
  readonly title: string
  readonly mark: "bar" | "line"
  /** What the values describe, and their unit. */
  readonly x: string
  readonly y: string
  readonly values: ReadonlyArray<readonly [label: string, value: number]>
}

/** The size of a figure in pixels. */
export const figureSize = { width: 1200, height: 675 } as const

const font = "DejaVu Sans"
const ink = "#1d3b4a"

/** A label on lines of about 12 characters, which even the widest chart has room for, so that nothing of it is cut. */
const inLines = (label: string): string => label.replace(/(.{1,12})(?:\s+|$)/g, "$1\n").trim()

const specOf = ({ title, mark, x, y, values }: Figure): TopLevelSpec => ({
  title: { text: title, anchor: "start", fontSize: 17, offset: 16 },
  width: 500,
  height: 230,
  padding: 22,
  background: "#ffffff",
  data: { values: values.map(([label, value]) => ({ label: inLines(label), value })) },
  mark: mark === "bar" ? { type: "bar", color: ink } : { type: "line", color: ink, point: { color: ink, size: 60 } },
  encoding: {
    x: {
      field: "label",
      type: "ordinal",
      sort: null,
      title: x,
      axis: { labelAngle: 0, labelLimit: 0, labelOverlap: false, labelExpr: "split(datum.label, '\\n')" }
    },
    y: { field: "value", type: "quantitative", title: y, scale: { zero: mark === "bar" } }
  },
  config: { font, axis: { labelFontSize: 11, titleFontSize: 12, titleFontWeight: "normal" }, view: { stroke: null } }
})

/** Draws the chart of a figure as an SVG. What draws it is large, and is loaded with the first figure. */
export const figureSvg = async (figure: Figure): Promise<string> => {
  const [{ parse, View }, { compile }] = await Promise.all([import("vega"), import("vega-lite")])
  const view = new View(parse(compile(specOf(figure)).spec), { renderer: "none" })
  const chart = await view.toSVG()
  view.finalize()
  return chart
}

/** The same as a PNG of `figureSize`, letterboxed in white. */
export const figurePng = async (figure: Figure): Promise<Uint8Array> => {
  const chart = await figureSvg(figure)
  const { Resvg } = await import("@resvg/resvg-js")
  const { width, height } = figureSize
  const framed = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#ffffff"/>${chart.replace("<svg ", `<svg x="0" y="0" preserveAspectRatio="xMidYMid meet" `).replace(/ width="[\d.]+" height="[\d.]+"/, ` width="${width}" height="${height}"`)}</svg>`
  return new Resvg(framed, { font: { fontFiles: [fontFile], loadSystemFonts: false, defaultFontFamily: font } })
    .render()
    .asPng()
}
