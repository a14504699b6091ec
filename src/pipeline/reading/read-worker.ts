/**
 * Reads a document in a thread of its own: `workerData` is a `Reading`; the message is what it asks for, or the reason
 * there is none.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { parentPort, workerData } from "node:worker_threads"
import type { PDFDocumentProxy } from "unpdf/pdfjs"
import type { PageImage, PagesRead, Reading } from "./reading.ts"

/** The most characters of a page: more than any prints. */
const longestPage = 20_000

/** Joins pieces of text at one height of the page into a line, from left to right; lines run from top to bottom. */
const linesOf = (
  items: ReadonlyArray<{ readonly str: string; readonly x: number; readonly y: number; readonly width: number }>
): ReadonlyArray<string> => {
  const rows: Array<{ y: number; text: string; end: number }> = []
  for (const { str, x, y, width } of items) {
    if (str.trim() === "") continue
    const row = rows.at(-1)
    // Pieces come in reading order, so a new height begins a new line.
    if (row !== undefined && Math.abs(row.y - y) < 3 && x >= row.end - 1) {
      row.text += x - row.end > 1 ? ` ${str}` : str
      row.end = x + width
    } else rows.push({ y, text: str, end: x + width })
  }
  return rows.map(({ text }) => text.replace(/\s+/g, " ").trim())
}

const bytesOf = (from: string | Uint8Array) => new Uint8Array(typeof from === "string" ? fs.readFileSync(from) : from)

const pdfPages = async (from: string | Uint8Array, most: number): Promise<PagesRead> => {
  const { getDocumentProxy } = await import("unpdf")
  const document = await getDocumentProxy(bytesOf(from))
  const pages: Array<string> = []
  while (pages.length < Math.min(document.numPages, most)) {
    const page = await document.getPage(pages.length + 1)
    const { items } = await page.getTextContent()
    const pieces = items.flatMap((item) =>
      "str" in item ? [{ str: item.str, x: item.transform[4], y: item.transform[5], width: item.width }] : []
    )
    pages.push(linesOf(pieces).join("\n").slice(0, longestPage))
    page.cleanup()
  }
  return { pages, count: document.numPages, bookmarks: await bookmarksOf(document) }
}

/** The most bookmarks of a document, how deep they are nested, and the most characters of one. */
const mostBookmarks = 500
const deepest = 4
const longestBookmark = 300

type Outline = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>

/** The page that a bookmark leads to, from 1; undefined if none is given or it is damaged. */
const pageOf = async (document: PDFDocumentProxy, dest: Outline[number]["dest"]): Promise<number | undefined> => {
  const [to] = (typeof dest === "string" ? await document.getDestination(dest) : dest) ?? []
  if (typeof to === "number") return to + 1
  return typeof to === "object" && to !== null ? (await document.getPageIndex(to)) + 1 : undefined
}

/** The bookmarks of a PDF that lead to a page of it. */
const bookmarksOf = async (document: PDFDocumentProxy): Promise<NonNullable<PagesRead["bookmarks"]>> => {
  const found: Array<{ readonly title: string; readonly page: number }> = []
  const visit = async (outline: Outline, depth: number): Promise<void> => {
    for (const { title, dest, items } of outline) {
      if (found.length >= mostBookmarks) return
      const page = await pageOf(document, dest).catch(() => undefined)
      const text = title.replace(/\s+/g, " ").trim().slice(0, longestBookmark)
      if (text !== "" && page !== undefined && page >= 1 && page <= document.numPages) found.push({ title: text, page })
      if (depth < deepest) await visit(items, depth + 1)
    }
  }
  await visit((await document.getOutline().catch(() => undefined)) ?? [], 1)
  return found
}

/** The lines of a text without pages, on pages of about three thousand characters. */
const paged = (text: string): ReadonlyArray<string> => {
  const pages: Array<string> = []
  let lines: Array<string> = []
  let length = 0
  for (const line of text.split("\n")) {
    const tidy = line.replace(/[^\S\n]+/g, " ").trim()
    if (tidy === "") continue
    lines.push(tidy)
    length += tidy.length
    if (length < 3000) continue
    pages.push(lines.join("\n"))
    lines = []
    length = 0
  }
  return lines.length === 0 ? pages : [...pages, lines.join("\n")]
}

/** A Word document: a page where Word last began one. */
const docxPages = async (file: string): Promise<ReadonlyArray<string>> => {
  const [{ docxLines }, { Effect }] = await Promise.all([
    import("../../record/formats/text-transcript/docx.ts"),
    import("effect")
  ])
  const text = await Effect.runPromise(docxLines(file))
  return text.split(/\s*\f[\s\f]*/).flatMap(paged)
}

const htmlPages = async (from: string): Promise<ReadonlyArray<string>> => {
  const [{ textOfPage }, { Effect }] = await Promise.all([import("./html-text.ts"), import("effect")])
  return paged(await Effect.runPromise(textOfPage(bytesOf(from))))
}

const bounded = (pages: ReadonlyArray<string>, most: number): PagesRead => ({
  pages: pages.slice(0, most).map((page) => page.slice(0, longestPage)),
  count: pages.length
})

/** Pixels of more than this are a plan or a map rather than a page. */
const mostPixels = 40_000_000

/** A picture's pixels in gray, of the forms in which the reader gives them; undefined if it is another form. */
const grayOf = (data: ArrayLike<number>, width: number, height: number): Uint8Array | undefined => {
  const gray = new Uint8Array(width * height)
  const row = Math.ceil(width / 8)
  if (data.length === row * height) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        gray[y * width + x] = ((data[y * row + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 ? 255 : 0
      }
    }
    return gray
  }
  const channels = data.length / gray.length
  if (channels === 1) gray.set(data)
  else if (channels === 3 || channels === 4) {
    for (let at = 0; at < gray.length; at++) {
      const from = at * channels
      gray[at] = 0.3 * (data[from] ?? 0) + 0.59 * (data[from + 1] ?? 0) + 0.11 * (data[from + 2] ?? 0)
    }
  } else return undefined
  return gray
}

interface Picture {
  readonly width: number
  readonly height: number
  readonly data: ArrayLike<number>
}

const isPicture = (value: unknown): value is Picture =>
  typeof value === "object" && value !== null && "data" in value && "width" in value && "height" in value

/** Leaves the largest picture of each of these pages in a folder, in gray (PGM). */
const pdfImages = async (from: string, numbers: ReadonlyArray<number>, folder: string) => {
  const { getDocumentProxy, getResolvedPDFJS } = await import("unpdf")
  const document = await getDocumentProxy(bytesOf(from))
  const { OPS } = await getResolvedPDFJS()
  const images: Array<PageImage> = []
  for (const number of numbers) {
    const page = await document.getPage(number)
    const { fnArray, argsArray } = await page.getOperatorList()
    let largest: Picture | undefined
    for (const [at, operator] of fnArray.entries()) {
      if (operator !== OPS.paintImageXObject) continue
      const key = String(argsArray[at]?.[0])
      const picture = await new Promise<unknown>((resolve) =>
        (key.startsWith("g_") ? page.commonObjs : page.objs).get(key, resolve)
      )
      if (!isPicture(picture) || picture.width * picture.height > mostPixels) continue
      if (largest === undefined || picture.width * picture.height > largest.width * largest.height) largest = picture
    }
    const gray = largest === undefined ? undefined : grayOf(largest.data, largest.width, largest.height)
    if (largest !== undefined && gray !== undefined) {
      const file = path.join(folder, `page-${number}.pgm`)
      fs.writeFileSync(file, Buffer.concat([Buffer.from(`P5\n${largest.width} ${largest.height}\n255\n`), gray]))
      images.push({ number, file })
    }
    page.cleanup()
  }
  return { images }
}

const read = async (reading: Reading): Promise<object> => {
  switch (reading.as) {
    case "pdf":
      return pdfPages(reading.from, reading.most)
    case "docx":
      return bounded(await docxPages(reading.from), reading.most)
    case "html":
      return bounded(await htmlPages(reading.from), reading.most)
    case "images":
      return pdfImages(reading.from, reading.numbers, reading.folder)
  }
}

read(workerData).then(
  (message) => parentPort?.postMessage(message),
  (error: unknown) => parentPort?.postMessage({ reason: error instanceof Error ? error.name : "unreadable" })
)
