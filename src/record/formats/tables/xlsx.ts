import { Effect, Result } from "effect"
import { ReadError } from "../item.ts"
import { officeParts } from "../office.ts"
import { readXml } from "../xml.ts"

const mostRows = 200_000
const mostColumns = 500

/** The column of a cell, from 0: `AB12` is 27. */
const columnOf = (cell: string): number =>
  [...(/^[A-Z]{1,3}/.exec(cell)?.[0] ?? "")].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

const sharedOf = (xml: string): Result.Result<ReadonlyArray<string>, string> => {
  const strings: Array<string> = []
  let isText = false
  return Result.map(
    readXml(xml, {
      open: (name) => {
        if (name === "si") strings.push("")
        isText = name === "t"
      },
      text: (words) => {
        if (isText) strings[strings.length - 1] += words
      },
      close: (name) => {
        if (name === "t") isText = false
      }
    }),
    () => strings
  )
}

/** The rows of the first sheet of a workbook, as text; a day or an hour is the number that the workbook has for it. */
export const xlsxRows = Effect.fnUntraced(function* (path: string) {
  const wanted = /^xl\/(?:sharedStrings|worksheets\/sheet1)\.xml$/i
  const parts = yield* officeParts(path, (name) => wanted.test(name))
  const sheet = parts.get("xl/worksheets/sheet1.xml")
  if (sheet === undefined) return yield* new ReadError({ path, problem: "is no Excel workbook" })
  const shared = Result.getOrElse(sharedOf(parts.get("xl/sharedStrings.xml") ?? "<sst/>"), () => [])
  const rows: Array<Array<string>> = []
  let type: string | undefined
  let column = -1
  let isValue = false
  const read = readXml(sheet, {
    open: (name, attributes) => {
      if (name === "row" && rows.length < mostRows) {
        rows.push([])
        column = -1
      }
      if (name === "c") {
        const at = columnOf(attributes.get("r") ?? "")
        column = at < 0 ? column + 1 : at
        type = attributes.get("t")
      }
      if (name === "v" || name === "t") isValue = true
    },
    text: (words) => {
      const row = rows.at(-1)
      if (!isValue || row === undefined || column >= mostColumns) return
      while (row.length <= column) row.push("")
      row[column] = type === "s" ? (shared[Number(words)] ?? "") : `${row[column] ?? ""}${words}`
    },
    close: (name) => {
      if (name === "v" || name === "t") isValue = false
    }
  })
  return Result.isFailure(read) ? yield* new ReadError({ path, problem: `its sheet ${read.failure}` }) : rows
})
