/**
 * Reads the text of a PDF in a thread of its own: `workerData` is the file; the message is its lines, or the reason
 * there are none.
 */
import { parentPort, workerData } from "node:worker_threads"
import { extractTextItems, getDocumentProxy } from "unpdf"

/** Later pages are attachments. */
const mostPages = 60

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

const read = async (bytes: Uint8Array): Promise<ReadonlyArray<string>> => {
  const document = await getDocumentProxy(bytes)
  const { items } = await extractTextItems(document)
  return items.slice(0, mostPages).flatMap(linesOf)
}

read(new Uint8Array(workerData)).then(
  (lines) => parentPort?.postMessage({ lines }),
  (error: unknown) => parentPort?.postMessage({ reason: error instanceof Error ? error.name : "unreadable" })
)
