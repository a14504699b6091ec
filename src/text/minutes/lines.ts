/** A line of minutes and its page, from 1. */
export interface Line {
  readonly text: string
  readonly page: number
}

/** Lines without what repeats on every page: running heads, page numbers. Blank lines stay, as they end paragraphs. */
export const linesOf = (pages: ReadonlyArray<string>): ReadonlyArray<Line> => {
  const lines = pages.flatMap((page, at) =>
    page
      .replace(/\r\n?|\f/gu, "\n")
      .split("\n")
      .map((text): Line => ({ text: text.replace(/[\t \u00a0]+/gu, " ").trim(), page: at + 1 }))
  )
  const heads = Map.groupBy(
    lines.filter(({ text }) => text.length > 8),
    ({ text }) => text.replace(/\d+/gu, "#")
  )
  const isRunning = (text: string): boolean => {
    const pagesWith = new Set((heads.get(text.replace(/\d+/gu, "#")) ?? []).map(({ page }) => page))
    return (
      pages.length > 2 && pagesWith.size > pages.length / 2 && !/\b(?:ayes?|nays?|yes|motion|carried)\b/iu.test(text)
    )
  }
  return lines.filter(
    ({ text }) => !/^(?:-\s*)?(?:page\s+)?\d{1,3}(?:\s*(?:of|\/)\s*\d{1,3})?(?:\s*-)?$/iu.test(text) && !isRunning(text)
  )
}

/** An item as the minutes number it. */
export interface MinutesItem {
  readonly number?: string
  readonly title: string
  readonly page: number
  /** The place of its line. */
  readonly line: number
}

const numbered =
  /^(?:(?:item|agenda item|no\.?)\s*)?#?((?:\d{1,3}|[A-Z]|[IVX]{1,6})(?:[.-](?:\d{1,3}|[A-Za-z])){0,3})[.):]?\s+(\p{Lu}.{3,200})$/u

/** Words of lines that begin with a capital and a period but head no item. */
const speaks = /\b(?:moved|seconded|motion|voted|stated|asked|said|reported)\b/iu

/** The headings of items. A number is needed, because any line may be short and in capitals. */
export const itemsIn = (lines: ReadonlyArray<Line>): ReadonlyArray<MinutesItem> =>
  lines.flatMap(({ text, page }, line) => {
    const [, number, title = ""] = numbered.exec(text) ?? []
    // `J. Smith` is nobody's heading: after a letter alone come at least three words.
    const isInitial = /^[A-Z]$/u.test(number ?? "") && title.split(" ").length < 3
    return number === undefined || isInitial || speaks.test(title) ? [] : [{ number, title: title.trim(), page, line }]
  })
