import { numberWords } from "../names.ts"
import { stemOf } from "../senses.ts"
import type { Word } from "../words.ts"
import { affinity } from "./binding.ts"
import { frameAt } from "./frames.ts"
import type { Held } from "./held.ts"

/** Words of which one side is never said for the other. */
const opposites = `
  increase rise grow growth raise gain climb higher upward jump hike boost expand additional double surge extend up more greater longer larger|decrease reduce fall drop decline cut lower down shrink downward shave trim halve less fewer smaller shorter
  earlier sooner early prior|later late afterward
  first initial|last final
  minimum|maximum
  open reopen|close closure shut
  begin start launch open|end finish stop cease expire complete
  add include insert|remove exclude delete eliminate withdraw
  support favor endorse back advocate urge recommend hope critical good yes aye agree great like love need|oppose opposition against object disagree dislike reject no not nay worry concern problem
  praise thank appreciate welcome glad happy proud commend applaud congratulate grateful great good excited|criticize regret blame complain condemn sad sorry disappointed
  allow permit authorize up|prohibit ban forbid bar prevent disallow
  north northern|south southern
  east eastern|west western
  public|private
  win|lose
  admit|deny
  hire recruit employ|fire laid
  required require mandatory must|optional voluntary waive
  widen|narrow
  morning am|evening afternoon night pm
  majority|minority
  surplus|deficit shortfall
  temporary|permanent
  faster speed accelerate quick hasten|slower slow hold delay postpone pause
  better best improve|worse worst
  residential|commercial industrial agricultural
  tomorrow|yesterday
  next upcoming coming|last past previous ago
  guilty|innocent
  easier easy|harder hard difficult
  safe|unsafe dangerous
  legal lawful|illegal unlawful
  rural|urban
  build construct rebuild reconstruct construction develop|demolish destroy tear raze
  lend|borrow
  succeed|fail`
  .trim()
  .split("\n")
  .map((line) => {
    const [one = "", other = ""] = line.trim().split("|")
    const side = (words: string) => new Set(words.split(" ").flatMap((word) => [word, stemOf(word)]))
    return { one: side(one), other: side(other) }
  })

const isOf = (side: ReadonlySet<string>, { word }: Word): boolean => side.has(word) || side.has(stemOf(word))

/** `Any opposed?` and `admit or deny` are questions. */
const isAsked = (words: ReadonlyArray<Word>, at: number): boolean =>
  words[at - 1]?.word === "any" || words[at - 1]?.word === "or" || words[at + 1]?.word === "or"

const onSide = (words: ReadonlyArray<Word>, side: ReadonlySet<string>): ReadonlyArray<number> =>
  words.flatMap((word, at) => (isOf(side, word) && !isAsked(words, at) ? [at] : []))

/** Words that may answer for a side, and ask for none: people use them for much else. */
const weak =
  /^(?:up|down|long|longer|shorter|double|add(?:s|ed)?|extend\w*|additional|yes|no|not|agree\w*|like|love|need\w*|good|great|hop(?:e|es|ed|ing)|want\w*|worr\w+|critical|concern\w*|problems?|construct\w*|cut|open|jump|double|blame|urge\w*|construction|development|developed|old|new|late|early|last|past|first|next|final|am|pm)$/u

/** Where the claim stands on a side and asks for it to be said. `More` does so before `than`. */
const demanded = (claim: ReadonlyArray<Word>, side: ReadonlySet<string>): ReadonlyArray<number> =>
  onSide(claim, side).filter((at) => {
    const word = claim[at]
    if (word === undefined || weak.test(word.word) || frameAt(claim, at).isDenied || (word.capital && !word.first))
      return false
    // `More than 700` is held with its number.
    const isOfNumber = claim.slice(at + 1, at + 4).some((next) => /^\d/u.test(next.word) || numberWords.has(next.word))
    const isCompared = claim.slice(at + 1, at + 5).some((next) => next.word === "than")
    return !/^(?:more|less|fewer)$/u.test(word.word) || (isCompared && !isOfNumber)
  })

/** How close to the claim's other words an opposite must stand to be said of the same. */
const leastClose = 0.4

const spanAt = (at: number) => ({ from: at, to: at + 1 })

/** Whether the claim has one of two opposites where the other was said, or was said of it. */
export const saysOpposite = ({ claim, near }: Held): boolean =>
  opposites.some(({ one, other }) =>
    (
      [
        [one, other],
        [other, one]
      ] as const
    ).some(([mine, theirs]) => {
      const claimed = demanded(claim, mine)
      if (claimed.length === 0 || onSide(claim, theirs).length > 0) return false
      const [same, opposite] = [onSide(near.words, mine), onSide(near.words, theirs)]
      const best = (places: ReadonlyArray<number>) =>
        Math.max(
          0,
          ...claimed.flatMap((at) => places.map((said) => affinity(claim, spanAt(at), [], near.places, spanAt(said))))
        )
      return best(opposite) > Math.max(leastClose, best(same) * 1.3)
    })
  )
