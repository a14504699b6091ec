const ellipsis = "…"

/**
 * Cuts a text to at most `most` characters at a word boundary, ending in an ellipsis if anything was cut (contract
 * section 4).
 */
export const clampAtWord = (text: string, most: number): string => {
  if (text.length <= most) return text
  const cut = text.slice(0, most - ellipsis.length + 1).replace(/\s+\S*$/u, "")
  const whole = cut === "" || cut.length > most - ellipsis.length ? text.slice(0, most - ellipsis.length) : cut
  // A cut between the two halves of a character outside of the basic plane leaves neither.
  return `${whole.replace(/[\s,;:.!?–—-]+$|[\uD800-\uDBFF]$/u, "")}${ellipsis}`
}
