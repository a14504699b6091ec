/** Reduces text to one line, without invisible characters or anything that could open or close a tag. */
export const asData = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .replace(/[<>＜＞‹›〈〉《》]/gu, " ")
    .trim()

/**
 * Untrusted text as it appears in a model request: each text by name, between tags that carry `nonce`
 * (`<transcript-NONCE>`), one item per line. The nonce must be fresh and unguessable for each request (letters and
 * digits, 128 random bits), so that no text can close its tag. Every model request is built with this function.
 */
export const dataEnvelope = (data: Readonly<Record<string, string>>, nonce: string): string =>
  Object.entries(data)
    .map(([name, text]) => {
      const lines = text.split("\n").map((line) => asData(line).replaceAll(nonce, " "))
      return `<${name}-${nonce}>\n${lines.join("\n")}\n</${name}-${nonce}>`
    })
    .join("\n\n")
