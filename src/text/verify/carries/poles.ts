import { stemOf } from "../senses.ts"
import type { Word } from "../words.ts"
import { affinity } from "./binding.ts"
import type { Held } from "./held.ts"

/** Words of which one side is never said for the other. */
const opposites = `
  increase rise grow growth raise up gain climb higher upward jump hike bigger larger more greater boost expand plus additional double surge|decrease reduce fall drop decline cut lower down shrink less fewer downward smaller shave trim halve
  before earlier sooner early ahead prior|after later late following afterward
  first initial|last final
  minimum least|maximum most exceed limit up cap
  open reopen|close closure shut
  begin start launch|end finish stop cease expire over complete
  buy purchase acquire|sell sale
  add include insert|remove exclude delete eliminate drop pull withdraw
  support favor endorse back advocate urge want recommend like|oppose opposition against object disagree dislike reject
  praise thank appreciate welcome glad happy proud commend applaud congratulate|criticize regret blame complain condemn sad sorry disappointed
  allow permit authorize let may|prohibit ban forbid bar prevent disallow
  north northern|south southern
  east eastern|west western
  public|private
  new|old existing
  win|lose
  accept agree|decline refuse reject
  admit confirm|deny
  hire|fire laid
  required require mandatory must|optional voluntary waive
  widen|narrow
  morning am|evening afternoon night pm
  inside|outside
  majority|minority
  surplus|deficit shortfall
  temporary|permanent
  always|never
  longer long|shorter short
  faster speed accelerate quick hasten|slower slow hold delay postpone pause
  better best improve|worse worst
  residential|commercial industrial agricultural
  tomorrow|yesterday
  next upcoming coming|last past previous ago
  guilty|innocent
  extend prolong|shorten
  easier easy|harder hard difficult
  safe|unsafe dangerous
  legal lawful|illegal unlawful
  present|absent
  rural|urban
  restore|cut
  build construct rebuild|demolish destroy tear raze
  keep retain preserve|lose scrap abandon
  pay owe|receive earn
  lend|borrow
  succeed|fail`
  .trim()
  .split("\n")
  .map((line) =>
    line
      .trim()
      .split("|")
      .map((side) => new Set(side.split(" ").flatMap((word) => [word, stemOf(word)])))
  )

const isOf = (side: ReadonlySet<string>, { word }: Word): boolean => side.has(word) || side.has(stemOf(word))

/** `Any opposed?` and `admit or deny` are questions. */
const isAsked = (words: ReadonlyArray<Word>, at: number): boolean =>
  words[at - 1]?.word === "any" || words[at - 1]?.word === "or" || words[at + 1]?.word === "or"

const onSide = (words: ReadonlyArray<Word>, side: ReadonlySet<string>): ReadonlyArray<number> =>
  words.flatMap((word, at) => (isOf(side, word) && !isAsked(words, at) ? [at] : []))

const spanAt = (at: number) => ({ from: at, to: at + 1 })

/** Whether the claim has one of two opposites where the other was said, or was said of it. */
export const saysOpposite = ({ claim, near }: Held): boolean =>
  opposites.some(([one = new Set<string>(), other = new Set<string>()]) =>
    (
      [
        [one, other],
        [other, one]
      ] as const
    ).some(([mine, theirs]) => {
      const claimed = onSide(claim, mine)
      if (claimed.length === 0 || onSide(claim, theirs).length > 0) return false
      const [same, opposite] = [onSide(near.words, mine), onSide(near.words, theirs)]
      if (opposite.length === 0) return false
      if (same.length === 0) return true
      const best = (places: ReadonlyArray<number>) =>
        Math.max(
          ...claimed.flatMap((at) => places.map((said) => affinity(claim, spanAt(at), [], near.places, spanAt(said))))
        )
      return best(opposite) > best(same) * Number(process.env.POLE ?? 1.3)
    })
  )

