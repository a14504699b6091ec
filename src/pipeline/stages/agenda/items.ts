/** An agenda item as the PDF lists it. */
export interface ListedItem {
  readonly number?: string
  readonly title: string
  readonly description?: string
}

const mostItems = 200
const longestTitle = 300
const longestDescription = 4000

/** A line that begins an item: "4.", "4.a.", "IV.", "B)" and the like, then the title. */
const numbered =
  /^\(?((?:\d{1,3}(?:\.(?:\d{1,3}|[a-z]))*|[IVX]{1,6}|[A-Z])(?=[.):])|\d{1,3}\.[A-Za-z\d]{1,3})[.):]*\s+(\S.*)$/

/** Boilerplate lines that say nothing about an item. */
const furniture = /^(?:page \d+|\d+ of \d+|\d+|agenda)$/i

/**
 * Reads the items of an agenda from its text alone: a numbered line begins an item, and the lines after it describe it.
 * A long title continues on a next line that begins in lower case.
 */
export const listedItems = (lines: ReadonlyArray<string>): ReadonlyArray<ListedItem> => {
  const items: Array<{ number: string; title: string; description: Array<string> }> = []
  for (const line of lines) {
    const text = line.trim()
    if (text === "" || furniture.test(text)) continue
    const [, number, title] = numbered.exec(text) ?? []
    const last = items.at(-1)
    if (number !== undefined && title !== undefined && items.length < mostItems)
      items.push({ number, title, description: [] })
    else if (last !== undefined && last.description.length === 0 && /^[a-z]/.test(text) && last.title.length > 40)
      last.title += ` ${text}`
    else last?.description.push(text)
  }
  return items.map(({ number, title, description }) => ({
    number,
    title: title.slice(0, longestTitle),
    ...(description.length === 0 ? {} : { description: description.join(" ").slice(0, longestDescription) })
  }))
}

const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, " ")
    .trim()

/** Whether two listings of an item are of the same one: a number alone may be that of another section. */
export const isSame = (one: ListedItem, other: ListedItem): boolean => {
  const [title, words] = [normal(one.title), new Set(normal(other.title).split(" "))]
  if (title === normal(other.title)) return true
  const isNumber = one.number !== undefined && normal(one.number) === normal(other.number ?? "")
  const own = [...new Set(title.split(" "))]
  return isNumber && own.filter((word) => words.has(word)).length * 2 >= Math.min(own.length, words.size)
}

/** An item of both lists: the text's, with the model's title only if one of the two titles continues the other. */
const joined = (item: ListedItem, listed: ListedItem): ListedItem => {
  const [one, other] = [normal(item.title), normal(listed.title)]
  const title = one.startsWith(other) || other.startsWith(one) ? item.title : listed.title
  return { ...item, title, ...(listed.description === undefined ? {} : { description: listed.description }) }
}

/**
 * A model's items, and the items of the text that it left out, in the order of the text, whose descriptions a model's
 * items lack.
 */
export const joinedItems = (
  found: ReadonlyArray<ListedItem>,
  listed: ReadonlyArray<ListedItem>
): ReadonlyArray<ListedItem> => {
  const items: Array<ListedItem> = []
  let next = 0
  for (const item of found) {
    const later = listed.findIndex((other, at) => at >= next && isSame(item, other))
    const same = listed[later]
    if (same !== undefined) {
      items.push(...listed.slice(next, later), joined(item, same))
      next = later + 1
    } else if (!listed.slice(0, next).some((other) => isSame(item, other))) items.push(item)
  }
  return [...items, ...listed.slice(next)]
}
