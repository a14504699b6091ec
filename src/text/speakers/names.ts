import { keyOf, wordsOfText } from "../language/spoken-words.ts"

/** What one voice says without a break, in seconds. */
interface Turn {
  readonly start: number
  readonly end: number
  readonly speaker?: string
  readonly text: string
}

/** A name for a voice, and the second at which the recording shows it. */
export interface Naming {
  readonly voice: string
  readonly name: string
  readonly shownAt: number
}

const title =
  "(?:Mayor|Vice Mayor|Deputy Mayor|Council ?(?:member|man|woman|or)|Commissioner|Trustee|Supervisor|Alder(?:man|woman|person)?|Selectman|Selectwoman|President|Vice President|Chair(?:man|woman|person)?|Vice Chair|Director|Member)"
const part = "\\p{Lu}[\\p{L}'’-]*\\p{L}"
const surname = `(?:(?:De|De La|Del|La|Le|Van|Von|St\\.|Mc|Mac) ?)?${part}`

/** A call at a roll: `Mayor Kincannon?`, `Councilmember De La Cruz.`, or a surname alone. */
const call = new RegExp(`^(?:(${title}) )?(?:(?:Mr|Ms|Mrs|Dr)\\. )?(${surname})[.?,!]?$`, "u")
const answer = /^(?:here|present|yes|yea|yeah|aye|no|nay|abstain|i am here|i'm here)[.!,]?$/i

/** How soon an answer follows its call, and a call the last answer, in seconds. */
const soon = 5
const nextCall = 20

/** The answers in a row that make a roll call: two people who are asked something are none. */
const fewestAnswers = 3

/**
 * `My name is Jane Doe.`, in the words of the person: not one of these before it, with which people quote others.
 */
const introduction = new RegExp(
  `^(?<before>[^.?!]{0,80}?)\\b[Mm]y name is (?<name>${part}(?: \\p{Lu}\\.)?(?: ${part}){1,2})(?=[.,;!?]|$| and | I | at | from | with )`,
  "u"
)
const quoting = /\b(?:he|she|they|who|said|says|if|when|like|quote|hear|heard|called)\b/i

/** Not split after an initial. */
const sentencesOf = (text: string): ReadonlyArray<string> =>
  text.split(/(?<=[.?!])(?<!(?<!\p{L})\p{Lu}\.)\s+(?=\p{Lu})/u)

/** The one name of the roster with this surname. */
const onRoster = (roster: ReadonlyArray<string>, name: string): string | undefined => {
  const key = wordsOfText(name).map(keyOf).at(-1)
  const named = roster.filter((one) => wordsOfText(one).map(keyOf).at(-1) === key)
  return named.length === 1 ? named[0] : undefined
}

const introductions = (turns: ReadonlyArray<Turn>): ReadonlyArray<Naming> =>
  turns.flatMap(({ speaker, text, start }) => {
    if (speaker === undefined) return []
    return sentencesOf(text).flatMap((sentence) => {
      const { before = "", name } = introduction.exec(sentence)?.groups ?? {}
      return name === undefined || quoting.test(before) ? [] : [{ voice: speaker, name, shownAt: start }]
    })
  })

/** Names that are called and answered by another voice, one after the other. */
const rollCalls = (turns: ReadonlyArray<Turn>, roster: ReadonlyArray<string>): ReadonlyArray<Naming> => {
  const found: Array<Naming> = []
  let row: Array<Naming & { readonly caller: string; readonly until: number }> = []
  const end = () => {
    if (row.length >= fewestAnswers) found.push(...row.map(({ voice, name, shownAt }) => ({ voice, name, shownAt })))
    row = []
  }
  for (const [at, turn] of turns.entries()) {
    const next = turns[at + 1]
    const [, office, called] = call.exec(sentencesOf(turn.text).at(-1) ?? "") ?? []
    if (called === undefined || next === undefined || turn.speaker === undefined || next.speaker === undefined) continue
    if (next.speaker === turn.speaker || next.start - turn.end > soon || !answer.test(next.text)) continue
    const name = onRoster(roster, called) ?? (office === undefined ? undefined : `${office} ${called}`)
    if (name === undefined) continue
    const last = row.at(-1)
    if (last !== undefined && (last.caller !== turn.speaker || turn.start - last.until > nextCall)) end()
    row.push({ voice: next.speaker, name, shownAt: turn.start, caller: turn.speaker, until: next.end })
  }
  end()
  return found
}

const withoutOffice = (name: string) => name.replace(new RegExp(`^${title} `), "")

/** The fullest of several names if all may be one person's, as `Mayor Doe` and `Jane Doe`; else none is known. */
const agreed = (names: ReadonlyArray<Naming>): ReadonlyArray<Naming> => {
  const wordsOf = ({ name }: Naming) => wordsOfText(withoutOffice(name)).map(keyOf)
  const [fullest] = [...names].sort((one, other) => wordsOf(other).length - wordsOf(one).length)
  if (fullest === undefined) return []
  const full = wordsOf(fullest)
  const isOne = names.every((one) => {
    const words = wordsOf(one)
    return words.join(" ") === full.slice(-words.length).join(" ")
  })
  return isOne ? [fullest] : []
}

/**
 * The names of voices, as far as the recording itself shows them: who says "my name is Jane Doe", and who answers to a
 * name in a roll call, which the roster may complete. A voice that two names are claimed for gets none.
 */
export const namesOfVoices = (turns: ReadonlyArray<Turn>, roster: ReadonlyArray<string>): ReadonlyArray<Naming> => {
  const claims = [...introductions(turns), ...rollCalls(turns, roster)]
  const inOrder = claims.sort((one, other) => one.shownAt - other.shownAt)
  return [...Map.groupBy(inOrder, ({ voice }) => voice).values()].flatMap(agreed)
}
