import * as fs from "node:fs"
import { Effect, Result } from "effect"
import { readable } from "../../../record/readable.ts"
import type { Bookmark } from "../../../text/packets/item-pages.ts"
import { readImages, readPages } from "../../reading/read-pages.ts"
import { recognizing } from "../../reading/recognize.ts"

/** The most pages of a document that are kept. */
const mostPages = 1000
/** How long reading one may take. */
const longestReading = "5 minutes"
/** A page with fewer characters is a picture, or empty. */
const leastText = 20
/** The most pages of a document that are recognized, and how many are held as pictures at once. */
const mostRecognized = 100
const picturesAtOnce = 10

/** A file, and the type that its server says it has. */
export interface FileOfDocument {
  readonly file: string
  readonly type: string
}

interface Page {
  readonly text: string
  /** Whether it was recognized in a picture. */
  readonly isRecognized: boolean
}

/** What was read of a document. */
export interface ReadDocument {
  readonly type: string
  readonly pages: ReadonlyArray<Page>
  readonly count: number
  readonly bookmarks: ReadonlyArray<Bookmark>
  /** Why pages are without their text, as a sentence. */
  readonly unread: string | undefined
}

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

/** What a file is by its first bytes: servers send Word documents as anything. */
const formOf = ({ file, type }: FileOfDocument) => {
  const head = Buffer.alloc(1024)
  const handle = fs.openSync(file, "r")
  fs.readSync(handle, head)
  fs.closeSync(handle)
  const start = head.toString("latin1")
  if (start.includes("%PDF-")) return { as: "pdf", type: "application/pdf" } as const
  if (start.startsWith("PK")) return { as: "docx", type: docx } as const
  if (/html/.test(type) || /^\s*<(!doctype html|html|\?xml)/i.test(start))
    return { as: "html", type: "text/html" } as const
  return undefined
}

const nothing = (type: string, unread: string): ReadDocument => ({ type, pages: [], count: 0, bookmarks: [], unread })

const whyUnread = (reason: string): string =>
  /password/i.test(reason)
    ? "It is encrypted."
    : reason === "it takes too long"
      ? "It takes too long to read."
      : "It is damaged, or no document that can be read."

/** Reads documents by page; pages that are pictures are recognized if this system has tesseract. */
export const readingDocuments = Effect.gen(function* () {
  const recognize = yield* recognizing

  const recognized = Effect.fnUntraced(function* (
    file: string,
    blank: ReadonlyArray<number>,
    folder: string,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const found = new Map<number, string>()
    if (recognize === undefined) return found
    const wanted = blank.slice(0, mostRecognized)
    for (let at = 0; at < wanted.length; at += picturesAtOnce) {
      const pictures = yield* Effect.result(readImages(file, wanted.slice(at, at + picturesAtOnce), folder))
      if (Result.isFailure(pictures)) break
      for (const { number, file: picture } of pictures.success) {
        const text = readable(yield* recognize(picture))
        const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.replace(/\s+/g, " ").trim()]))
        if (lines.length > 0) found.set(number, lines.join("\n"))
        fs.rmSync(picture, { force: true })
      }
      yield* onProgress(Math.min(1, (at + picturesAtOnce) / wanted.length))
    }
    return found
  })

  return Effect.fn("DocumentsStage.read")(function* (
    document: FileOfDocument,
    folder: string,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const form = formOf(document)
    if (form === undefined) return nothing(document.type, "It is neither a PDF, a Word document nor a web page.")
    const read = yield* Effect.result(readPages({ as: form.as, from: document.file, most: mostPages }, longestReading))
    if (Result.isFailure(read)) return nothing(form.type, whyUnread(read.failure.reason))
    const { pages, count, bookmarks } = read.success
    const blank = pages.flatMap((text, at) => (form.as === "pdf" && text.length < leastText ? [at + 1] : []))
    const found = yield* recognized(document.file, blank, folder, onProgress)
    const texts = pages.map((text, at): Page => {
      const seen = found.get(at + 1)
      return seen === undefined ? { text, isRecognized: false } : { text: seen, isRecognized: true }
    })
    const left = texts.filter(({ text }) => text.length < leastText).length
    const notes = [
      left > 0 && form.as === "pdf"
        ? `${left === texts.length ? "Its pages are" : left === 1 ? "1 page is" : `${left} pages are`} empty or pictures that were not read.`
        : [],
      count > mostPages ? `It has ${count} pages, of which the first ${mostPages} were read.` : [],
      texts.length === 0 ? "It has no text." : []
    ].flat()
    return { type: form.type, pages: texts, count, bookmarks, unread: notes.length === 0 ? undefined : notes.join(" ") }
  })
})
