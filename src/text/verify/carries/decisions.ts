import { stemOf } from "../senses.ts"
import { answersIn, voteOf } from "../votes.ts"
import type { Word } from "../words.ts"
import { frameAt } from "./frames.ts"
import type { Held } from "./held.ts"

/** What a body can decide; words of one class say the same, and none says another's. */
const classes = [
  [
    "approve",
    "approve approves approved approving approval adopt adopts adopted adopting adoption pass passes passed passing passage carry carries carried accept accepts accepted grant grants granted authorize authorized authorizes authorizing authorization ratify ratified confirm confirmed enact enacted backed endorsed okayed agreed ordered ayes"
  ],
  [
    "deny",
    "deny denies denied denying denial reject rejects rejected rejecting rejection fail fails failed failing defeat defeated refuse refused refuses decline declined disapprove disapproved turned"
  ],
  [
    "delay",
    "table tables tabled tabling postpone postpones postponed postponing postponement continue continues continued continuing continuance defer defers deferred deferring deferral delay delays delayed hold held"
  ],
  ["refer", "refer refers referred referring referral forward forwarded forwards"],
  [
    "appoint",
    "appoint appoints appointed appointing appointment nominate nominates nominated nomination elect elects elected reappoint reappointed name named"
  ],
  ["withdraw", "withdraw withdraws withdrew withdrawn withdrawal pull pulled rescind rescinded repeal repealed"]
] as const

type Decision = (typeof classes)[number][0]

const classOf: ReadonlyMap<string, Decision> = new Map(
  classes.flatMap(([name, words]) => words.split(" ").map((word) => [word, name] as const))
)

/** Their stems are of other words: `back` says of no decision what `backed` does. */
const apart = /^(?:backed|ordered|named|turned|held)$/u

const stems: ReadonlyMap<string, Decision> = new Map(
  [...classOf].flatMap(([word, way]) => (apart.test(word) ? [] : [[stemOf(word), way] as const]))
)

/** What decides, and what is decided: beside neither, the words of a decision are others. */
const deciding =
  /^(?:council|commission|board|committee|commissioners|members?|motions?|ordinances?|resolutions?|requests?|items?|votes?|voted|rezonings?|permits?|applications?|appeals?|variances?|planning|staff|body|they|it|contracts?|plans?|amendments?|agreements?|minutes|budget|calendar|measures?|proposals?|unanimous(?:ly)?)$/u

/** Words that say what a vote came to. */
const carried =
  /^(?:carries|carried|passes|passed|approved|adopted|ayes|accepted|confirmed|ordered|granted|unanimously|second|seconded|moved)$/u

const decisionsIn = (words: ReadonlyArray<Word>) =>
  words.flatMap(({ word }, at) => {
    const way = classOf.get(word) ?? stems.get(stemOf(word))
    return way === undefined
      ? []
      : [{ way, at, isMade: !frameAt(words, at).isAhead && /(?:ed|[^s]s|nt|ld|ew|en|ayes)$/u.test(word) }]
  })

/** Why a claim's vote or decision is not carried. */
export const lackOfDecision = ({ claim, near, item }: Held): "vote" | "verb" | undefined => {
  const [vote, said] = [voteOf(claim), voteOf(near.words)]
  const tallies = said.tallies.length > 0 ? said.tallies : voteOf(item.words).tallies
  const counted = [...tallies, answersIn(near.words)]
  if (!vote.tallies.every(({ ayes, nays }) => counted.some((one) => one.ayes === ayes && one.nays === nays)))
    return "vote"
  const isUnanimous =
    voteOf(item.words).unanimous !== undefined || tallies.some(({ ayes, nays }) => ayes > 1 && nays === 0)
  if (vote.unanimous !== undefined && !isUnanimous) return "vote"
  const outcomes = vote.outcomes.map(({ how }) => how)
  if (outcomes.length > 0 && !outcomes.every((how) => said.outcomes.some((one) => one.how === how))) return "vote"
  if (!claim.some(({ word }) => deciding.test(word))) return undefined
  const heard = decisionsIn(near.words)
  for (const { way, isMade } of decisionsIn(claim)) {
    const same = heard.filter((one) => one.way === way)
    if (same.length === 0 && !(way === "approve" && near.words.some(({ word }) => carried.test(word)))) return "verb"
    if (isMade && !same.some((one) => one.isMade) && !near.words.some(({ word }) => carried.test(word))) return "verb"
  }
  return undefined
}
