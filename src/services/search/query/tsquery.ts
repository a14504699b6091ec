import type { Phrase } from "../../../search-engine/types.ts"

const token = /'((?:[^'\\]|''|\\.)*)'|<(-|\d+)>|(\S)/gu

/** The lexemes of a tsquery of consecutive lexemes, or of one joined by `&` alone; undefined for any other tsquery. */
export const readRow = (tsquery: string): Phrase | undefined => {
  const row: Array<{ readonly lexeme: string; readonly at: number }> = []
  let at = 1
  for (const [, lexeme, distance, other] of tsquery.matchAll(token)) {
    if (lexeme !== undefined) row.push({ lexeme: lexeme.replaceAll(/''|\\(.)/gu, (two, one) => one ?? two[0]), at })
    else if (distance !== undefined) at += distance === "-" ? 1 : Number(distance)
    else if (other !== "&") return undefined
  }
  return row
}

/** Those of several tsqueries that are rows. */
export const readRows = (tsqueries: ReadonlyArray<string>): ReadonlyArray<Phrase> =>
  tsqueries.flatMap((tsquery) => {
    const row = readRow(tsquery)
    return row === undefined ? [] : [row]
  })
