import { fold } from "../fold.ts"

/** An item of an agenda, as a packet names it. */
export interface NamedItem {
  readonly id: string
  readonly number?: string | undefined
  readonly title: string
}

/** A bookmark of a document: its words and the page that it leads to, from 1. */
export interface Bookmark {
  readonly title: string
  readonly page: number
}

/** The text of a page, from its head on. */
export interface PageText {
  readonly number: number
  readonly text: string
}

/** A title in a page's head has as many words and letters: shorter ones, such as `Adjournment`, stand on many pages. */
const fewestWords = 3
const fewestLetters = 15
/** The lines of a page's head, and its characters: a recognized page may have long ones. */
const headLines = 6
const headCharacters = 400
/** A page with the titles of so many items is the agenda itself. */
const titlesOfAgenda = 3

const wordsOf = (text: string): ReadonlyArray<string> => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether the words stand in a row in the others. */
const standIn = (words: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean =>
  words.length > 0 && ` ${others.join(" ")} `.includes(` ${words.join(" ")} `)

/** What is said of an item by its number: `Item 7a`, `Agenda item no. VII.A`; the number without marks. */
const numberIn = (line: string): string | undefined =>
  /^\W*(?:agenda )?item(?: no| number)?[ .:#]+([\p{L}\p{N}]{1,6}(?:[.)(-]{1,2}[\p{L}\p{N}]{1,4})*)(?![\p{L}\p{N}])/iu
    .exec(line)?.[1]
    ?.replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase()

const plainNumber = ({ number = "" }: NamedItem): string => number.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase()

/** A number before the words of a bookmark: `7.`, `VII.A)`. */
const anyNumber = /^\W*[\p{L}\p{N}]{1,4}(?:[.)(-]+[\p{L}\p{N}]{1,3})*[.):]+\s/u

/** The words of a bookmark without the number of the item before them, or without any if the item's is not known. */
const withoutNumber = (bookmark: string, item: NamedItem): ReadonlyArray<string> => {
  const number = plainNumber(item)
  const words = wordsOf(number === "" ? bookmark.replace(anyNumber, "") : bookmark)
  for (let length = 1; number !== "" && length <= 3; length++) {
    if (words.slice(0, length).join("") === number) return words.slice(length)
  }
  return words
}

/** Whether a bookmark names an item: by its whole title, by a beginning of it that was cut short, or as `Item 7a`. */
const isNamed = (bookmark: string, item: NamedItem): boolean => {
  const [title, words] = [wordsOf(item.title), wordsOf(bookmark)]
  const said = withoutNumber(bookmark, item)
  if (said.length > 0 && said.join(" ") === title.join(" ")) return true
  const isLong = (some: ReadonlyArray<string>) => some.length >= fewestWords && some.join("").length >= fewestLetters
  if (isLong(title) && standIn(title, words)) return true
  if (isLong(said) && title.slice(0, said.length).join(" ") === said.join(" ")) return true
  const number = numberIn(bookmark)
  return number !== undefined && number === plainNumber(item) && sharesOrSaysNoMore(bookmark, title)
}

/** Whether what follows a number in a line has a telling word of the title, or there is nothing. */
const sharesOrSaysNoMore = (line: string, title: ReadonlyArray<string>): boolean => {
  const rest = wordsOf(line.replace(/^\W*(?:agenda )?item(?: no| number)?[ .:#]+\S+/iu, "")).filter(
    ({ length }) => length > 3
  )
  return rest.length === 0 || rest.some((word) => title.includes(word))
}

/** Whether the head of a page names an item: by its title, or in a line that begins with `Item 7a`. */
const isAtHead = ({ text }: PageText, item: NamedItem): boolean => {
  const head = text.slice(0, headCharacters).split("\n", headLines)
  const title = wordsOf(item.title)
  if (
    title.length >= fewestWords &&
    title.join("").length >= fewestLetters &&
    standIn(title, wordsOf(head.join(" ")))
  ) {
    return true
  }
  const number = plainNumber(item)
  return number !== "" && head.some((line) => numberIn(line) === number && sharesOrSaysNoMore(line, title))
}

/**
 * The page of a packet on which each item begins, by the item's id: where a bookmark leads that names this item alone,
 * or
 * else the first page with it alone at its head. Whatever fits two items is tied to neither, and an item of which
 * nothing
 * is sure has no page.
 */
export const itemPages = (
  items: ReadonlyArray<NamedItem>,
  bookmarks: ReadonlyArray<Bookmark>,
  pages: ReadonlyArray<PageText>
): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  const tie = (named: ReadonlyArray<NamedItem>, page: number) => {
    const [only, ...others] = named
    if (only !== undefined && others.length === 0 && !found.has(only.id)) found.set(only.id, page)
  }
  for (const { title, page } of bookmarks) {
    tie(
      items.filter((item) => isNamed(title, item)),
      page
    )
  }
  const left = items.filter(({ id }) => !found.has(id))
  if (left.length === 0) return found
  const titles = items.map(({ title }) => wordsOf(title))
  for (const page of pages) {
    const named = items.filter((item) => isAtHead(page, item))
    if (named.length !== 1 || !named.some(({ id }) => !found.has(id))) continue
    const words = wordsOf(page.text)
    if (titles.filter((title) => standIn(title, words)).length < titlesOfAgenda) tie(named, page.number)
  }
  return found
}
