import { namesOf, numberWords } from "../names.ts"
import { placesOf } from "../senses.ts"
import { isContent, type Word } from "../words.ts"
import type { Held } from "./held.ts"

/** Words by which a sentence tells of speech, whatever it tells. */
const telling =
  /^(?:speaker|commenter|residents?|council|commission|board|members?|person|people|someone|meeting|city|county|staff|proposal|proposed|request|item|explained?|noted?|described?|discussed?|mentioned|reported|stated|according|regarding|also|about|around|total)$/u

/** The words of a claim that say what it is about: no numbers and no names, which are held by themselves. */
const subjectOf = (claim: ReadonlyArray<Word>): ReadonlyArray<string> => {
  const names = namesOf(claim)
  return [
    ...new Set(
      claim.flatMap((word, at) =>
        isContent(word) &&
        !/\d/u.test(word.word) &&
        !numberWords.has(word.word) &&
        !names.some(({ from, to }) => at >= from && at < to)
          ? [word.word]
          : []
      )
    )
  ]
}

/** The least share of a claim's words that must be there in some form. */
const leastShare = 0.5

/** Why the words of a claim are not carried. */
export const lackOfWords = ({ claim, quoted, near, item }: Held): "no evidence" | "words" | undefined => {
  const subject = subjectOf(claim)
  const isIn = (word: string, text: Held["near"]) => placesOf(word, text.places).length > 0
  const touched = claim.some((word) => isContent(word) && isIn(word.word, quoted))
  if (!touched) return "no evidence"
  const wanted = subject.filter((word) => !telling.test(word))
  const found = wanted.filter((word) => isIn(word, near) || isIn(word, item))
  return wanted.length > 0 && found.length < wanted.length * leastShare ? "words" : undefined
}
