/** Reads the text of a PDF in a thread of its own: `workerData` is its bytes, the answer is its lines or why there are none. */
import { parentPort, workerData } from "node:worker_threads"
import { extractTextItems, getDocumentProxy } from "unpdf"

/** Pages beyond these are attachments. */
const mostPages = 60

/** Pieces of text on one height of the page are one line, from left to right; lines go from top to bottom. */
const linesOf = (
  items: ReadonlyArray<{ readonly str: string; readonly x: number; readonly y: number; readonly width: number }>
): ReadonlyArray<string> => {
  const rows: Array<{ y: number; text: string; end: number }> = []
  for (const { str, x, y, width } of items) {
    if (str.trim() === "") continue
    const row = rows.at(-1)
    // Text is written in reading order: a new height is a new line.
    if (row !== undefined && Math.abs(row.y - y) < 3 && x >= row.end - 1) {
      row.text += x - row.end > 1 ? ` ${str}` : str
      row.end = x + width
    } else rows.push({ y, text: str, end: x + width })
  }
  return rows.map(({ text }) => text.replace(/\s+/g, " ").trim())
}

const read = async (bytes: Uint8Array): Promise<ReadonlyArray<string>> => {
  const document = await getDocumentProxy(bytes)
  const { items } = await extractTextItems(document)
  return items.slice(0, mostPages).flatMap(linesOf)
}

read(new Uint8Array(workerData)).then(
  (lines) => parentPort?.postMessage({ lines }),
  (error: unknown) => parentPort?.postMessage({ reason: error instanceof Error ? error.name : "unreadable" })
)
