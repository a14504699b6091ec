import PDFDocument from "pdfkit"

/** A PDF document with what `write` puts on its pages. */
export const pdfWith = async (
  write: (document: PDFKit.PDFDocument) => void,
  options: PDFKit.PDFDocumentOptions = {}
): Promise<Buffer> => {
  const document = new PDFDocument(options)
  const chunks: Array<Uint8Array> = []
  document.on("data", (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise((resolve) => document.on("end", resolve))
  write(document)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

/** A PDF document with these lines of text. */
export const pdfOf = (lines: ReadonlyArray<string>): Promise<Buffer> =>
  pdfWith((document) => {
    for (const line of lines) document.text(line)
  })
