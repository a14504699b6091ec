/** One line of text, without anything that could open or close a tag, or that readers do not see. */
export const asData = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .replace(/[<>＜＞‹›〈〉《》]/gu, " ")
    .trim()

/**
 * What others wrote or said, as it stands in a request to a model: each text by its name, between tags that carry
 * `nonce` (`<transcript-NONCE>`), a line per line. The nonce must be new and unguessable for each request (letters and
 * digits, 128 random bits), so nothing in a text can end it. Every request to a model is built with this.
 */
export const dataEnvelope = (data: Readonly<Record<string, string>>, nonce: string): string =>
  Object.entries(data)
    .map(([name, text]) => {
      const lines = text.split("\n").map((line) => asData(line).replaceAll(nonce, " "))
      return `<${name}-${nonce}>\n${lines.join("\n")}\n</${name}-${nonce}>`
    })
    .join("\n\n")
