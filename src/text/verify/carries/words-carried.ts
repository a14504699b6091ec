import { namesOf, numberWords } from "../names.ts"
import { placesOf } from "../senses.ts"
import { voteOf } from "../votes.ts"
import { isContent, type Word } from "../words.ts"
import type { Held } from "./held.ts"

/** Words that tell of anything: they say little of what a claim is about. */
const light =
  /^(?:speaker|commenter|residents?|council|commission|board|members?|persons?|people|someone|anyone|nobody|whoever|meeting|city|county|staff|proposals?|proposed|request|items?|explain\w*|noted?|describ\w*|discuss\w*|mention\w*|report\w*|stated|according|regarding|also|about|around|total|com(?:es?|ing)|came|go(?:es|ing)?|went|puts?|putting|gets?|got|takes?|took|taken|brings?|brought|makes?|made|lets?|some|most|all|only|both|others?|another|each|every|any|few|many|much|more|less|least|before|after|under|over|until|between|among|next|again|once|still|yet|already|even|away|while|because|whether|within|since|during|per|towards?|counts?|half|nearly|almost|far|too|itself|way|things?|places?|sets?|stands?|holds?|held|lies|rests|remains?|us(?:e|ed)|applicant|percent|dollars?|giv(?:es?|en)|keeps?|kept|turns?|turned|long|times?|same|ever|certain|know|wants?|needs?|seeks?|asks?|calls?|new|vote[sd]?|motion|propos\w*|whole|several|various|including|now|then|else|forward|up|down|out|comes?|end|worth|share|part|word)$/u

/** Numbers and their commonest units are held by themselves. */
const isNumber = (word: string): boolean => /\d|^(?:dollars?|percent)$/u.test(word) || numberWords.has(word)

/** The words of a claim that say what it is about: no numbers and no names, which are held by themselves. */
const subjectOf = (claim: ReadonlyArray<Word>): ReadonlyArray<string> => {
  const names = namesOf(claim)
  return [
    ...new Set(
      claim.flatMap((word, at) =>
        isContent(word) && !isNumber(word.word) && !names.some(({ from, to }) => at >= from && at < to)
          ? [word.word]
          : []
      )
    )
  ]
}

/** Words that nothing general is said for: times, offices and institutions. */
const exact =
  /^(?:days?|daily|weeks?|weekly|months?|monthly|hours?|minutes?|years?|yearly|tonight|tomorrow|yesterday|mayor|comptroller|treasurer|sheriff|chief|fire|police|superintendent|attorneys?|lawyers?|engineers?|clerk|manager|principal|judge|court|surgeon|doctor|nurse|pastor|professor|governor|legislature|congress|senate|president|executive|federal|state|transit|utility|library|students?|teachers?|children|teams?|veterans?|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|september|october|november|december)$/u

/** The least share of a claim's words that must be there in some form. */
const leastShare = 0.5

/** Why the words of a claim are not carried. */
export const lackOfWords = ({ claim, quoted, near, item }: Held): "no evidence" | "words" | undefined => {
  const subject = subjectOf(claim)
  const isIn = (word: string, text: Held["near"]) => placesOf(word, text.places).length > 0
  const isTouched = claim.some((one) => isContent(one) && !isNumber(one.word) && isIn(one.word, quoted))
  const [vote, said] = [voteOf(claim), voteOf(quoted.words)]
  const tellsOfVote = vote.tallies.length + vote.outcomes.length > 0 || claim.some(({ word }) => /^votes?$/u.test(word))
  const isOfVote = tellsOfVote && said.tallies.length + said.outcomes.length > 0
  if (!isOfVote && !isTouched) return "no evidence"
  if (!subject.every((word) => !exact.test(word) || isIn(word, near) || isIn(word, item))) return "words"
  const wanted = subject.filter((word) => !light.test(word))
  const found = wanted.filter((word) => isIn(word, near) || isIn(word, item))
  return wanted.length > 0 && found.length < wanted.length * leastShare ? "words" : undefined
}
