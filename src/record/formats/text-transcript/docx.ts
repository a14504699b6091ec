import { Effect, Result } from "effect"
import { ReadError } from "../item.ts"
import { officeParts } from "../office.ts"
import { readXml } from "../xml.ts"

/** The paragraphs of a Word document, a line each, with a form feed where Word last began a page. */
export const docxLines = Effect.fnUntraced(function* (path: string) {
  const name = "word/document.xml"
  const body = (yield* officeParts(path, (part) => part === name)).get(name)
  if (body === undefined) return yield* new ReadError({ path, problem: "is no Word document" })
  let text = ""
  let isText = false
  const read = readXml(body, {
    open: (tag, attributes) => {
      if (tag === "t") isText = true
      if (tag === "lastRenderedPageBreak" || (tag === "br" && attributes.get("type") === "page")) text += "\n\f"
      if (tag === "tab") text += "\t"
      if (tag === "br" || tag === "cr") text += "\n"
    },
    text: (words) => {
      if (isText) text += words
    },
    close: (tag) => {
      if (tag === "t") isText = false
      if (tag === "p") text += "\n"
    }
  })
  return Result.isFailure(read) ? yield* new ReadError({ path, problem: `its text ${read.failure}` }) : text
})
