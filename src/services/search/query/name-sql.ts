import type { ReadSql } from "../../../../layers/db/db.ts"

/** A name as a tsquery: all of its words, without accents; names have no stop words and are not stemmed. */
export const nameOf = (db: ReadSql, text: string) => db`plainto_tsquery('simple', fold(${text}))`

/** Titles used with people's names. */
const titles =
  /(?<![\p{L}\p{N}])(?:m(?:r|rs|s|iss)|dr|hon|honou?rable|vice|deputy|mayor|comm(?:issioner)?|council ?(?:m[ae]n|wom[ae]n|member|person)|council|member|alder(?:man|woman|person)|supervisor|chair(?:man|woman|person)?|president|trustee|sen(?:ator)?|rep(?:resentative)?|judge|chief)(?![\p{L}\p{N}])\.?/giu

/** A name without titles; as it is, if nothing else is in it. */
export const withoutTitles = (text: string): string => {
  const untitled = text.replaceAll(titles, " ")
  return /[\p{L}\p{N}]/u.test(untitled) ? untitled : text
}
