import PDFDocument from "pdfkit"

/** A PDF document with these lines of text. */
export const pdfOf = async (lines: ReadonlyArray<string>): Promise<Buffer> => {
  const document = new PDFDocument()
  const chunks: Array<Uint8Array> = []
  document.on("data", (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise((resolve) => document.on("end", resolve))
  for (const line of lines) document.text(line)
  document.end()
  await ended
  return Buffer.concat(chunks)
}
