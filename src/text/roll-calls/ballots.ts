import type { Token } from "./tokens.ts"

/** How a member votes, in the words of Open Civic Data. */
export type Option = "yes" | "no" | "abstain" | "absent"

/** What is answered to a call: a vote, `pass` until a second turn, or `here` where it is called for attendance. */
export type Answer = Option | "here" | "pass"

const answers: ReadonlyMap<string, Answer> = new Map(
  (
    [
      ["yes", "yes aye yea yep"],
      ["no", "no nay nope"],
      ["abstain", "abstain abstains abstaining abstained recuse recused recusing"],
      ["absent", "absent out left gone"],
      ["pass", "pass passing passes"],
      ["here", "here present"]
    ] as const
  ).flatMap(([answer, words]) => words.split(" ").map((word) => [word, answer] as const))
)

/** Recognizers hear a lone `aye` as one of these. */
const likeAye = new Set(["i", "hi", "eye", "ay", "ayes"])

const fillers = new Set("is are has votes vote voting voted i im a thats its it uh um will be ill".split(" "))
const courtesies = new Set("maam sir mr madam mayor thank thanks please".split(" "))

const one =
  "councilman councilwoman councilmember councilperson councilor councillor commissioner mayor chair chairman chairwoman chairperson president mr mrs ms miss dr supervisor alderman alderwoman alderperson alderwomen trustee director selectman selectwoman member senator representative judge legislator delegate"
const titles = new Set(one.split(" "))
/** Offices by which a member is called without a name. */
const alone = new Set("mayor chair chairman chairwoman chairperson president".split(" "))

/** Words that no name begins or goes on with. */
const nameless = new Set(
  `the a an and or of for to in on at by with from that this it is are was has have had do does did will would can could made makes moved moves
  second seconded motion any all those who what we you he she they i im id my our your their said says asked so okay well please thank
  thanks yes no aye nay abstain pass here present opposed favor vote votes voting called call roll next item not but if as there`.split(
    /\s+/u
  )
)

/** The place after a title at `at`; `at` itself if there is none. */
export const afterTitle = (tokens: ReadonlyArray<Token>, at: number): number => {
  const [word, next] = [tokens[at]?.word ?? "", tokens[at + 1]?.word ?? ""]
  if (word === "vice" && alone.has(next)) return at + 2
  if (word === "council" && /^(?:members?|president|chair|person)$/u.test(next)) return at + 2
  return titles.has(word) ? at + 1 : at
}

/** A member as named in a call or an announcement: `from` up to but not including `to`. */
export interface Named {
  readonly from: number
  readonly to: number
  /** Whether a title goes before it. */
  readonly isTitled: boolean
}

const isNamePart = (token: Token | undefined, hasCapitals: boolean): token is Token =>
  token !== undefined &&
  (!hasCapitals || token.capital || token.tied) &&
  /^\D./u.test(token.word) &&
  !nameless.has(token.word) &&
  !titles.has(token.word) &&
  !answers.has(token.word)

/** Words of a name: a title's at most three, and two of a name without one. */
export const namedAt = (tokens: ReadonlyArray<Token>, at: number, hasCapitals: boolean): Named | undefined => {
  const from = afterTitle(tokens, at)
  const isTitled = from > at
  // A comma ends a name.
  const isJoined = (place: number) =>
    place === from || tokens[place]?.leads || (tokens[place]?.start ?? 0) - (tokens[place - 1]?.end ?? 0) <= 1
  let to = from
  while (
    to - from < (isTitled ? 3 : 2) &&
    isJoined(to) &&
    isNamePart(tokens[to], hasCapitals) &&
    (to === at || !tokens[to]?.opens)
  )
    to++
  if (isTitled && to === from) return alone.has(tokens[from - 1]?.word ?? "") ? { from: at, to, isTitled } : undefined
  return to === from || (!isTitled && !hasCapitals) ? undefined : { from: at, to, isTitled }
}

/** A member's answer, and the place after it. */
interface Answered {
  readonly answer: Answer
  readonly to: number
  /** Whether the clerk says how a member votes: `Commissioner Ortiz votes no`. */
  readonly isEcho: boolean
}

/** The answer that begins at a place, if nothing but an answer stands there. */
export const answerAt = (tokens: ReadonlyArray<Token>, at: number): Answered | undefined => {
  const endsAt = (to: number): boolean => {
    const next = tokens[to]
    return (
      next === undefined ||
      next.opens ||
      next.leads ||
      courtesies.has(next.word) ||
      (next.word === "the" && /^(?:motion|ayes|vote|ordinance|resolution)$/u.test(tokens[to + 1]?.word ?? "")) ||
      afterTitle(tokens, to) > to ||
      (next.word === "and" && afterTitle(tokens, to + 1) > to + 1)
    )
  }
  if (likeAye.has(tokens[at]?.word ?? "") && endsAt(at + 1)) return { answer: "yes", to: at + 1, isEcho: false }
  let to = at
  while (to - at < 3 && fillers.has(tokens[to]?.word ?? "") && (to === at || !tokens[to]?.opens)) to++
  const answer = answers.get(tokens[to]?.word ?? "")
  const said = tokens.slice(at, to).map(({ word }) => word)
  if (answer === undefined || !endsAt(to + 1) || (to > at && tokens[to]?.opens)) return undefined
  // `is out` and `has left` tell of a member; a bare `out` or `left` does not.
  if (/^(?:out|left|gone)$/u.test(tokens[to]?.word ?? "") && !said.some((word) => /^(?:is|has)$/u.test(word)))
    return undefined
  return { answer, to: to + 1, isEcho: said.includes("votes") || said.includes("voting") }
}
