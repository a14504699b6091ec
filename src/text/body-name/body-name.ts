import { spelledOut } from "./spelled-out.ts"
import { announced, byLetters, events, foreign, isTopic, noun, tail, unheld } from "./words.ts"

const trim = (text: string): string => text.replace(/\s{2,}/g, " ").replace(/^[\s.,;:*|/&#–—-]+|[\s,;:*|/&#–—-]+$/g, "")

/** What calendars add to a body's name: which paper it is, or how the meeting is held. */
const papers =
  /(?:[\s,&/+-]|\b(?:and|with)\b)*\b(?:\d{4}|action|legal|regular|special|monthly|informal|draft|final|approved|agendas?|minutes|packets?|handouts?|attachments?|archives?d?|documents?|notices?|postings?|recordings?|videos?|results|decisions|cancellations?|updates?|(?:re)?scheduled?|records|live ?stream|reports?|ordinances|resolutions|power ?point|presentations|materials|synopsis of bills|via zoom|on zoom|zoom|in[- ]person|virtual|hybrid|tbd)\W*$/i
const before =
  /^(?:\d{4}\s+|(?:(?:the|a|public|legal|meeting|draft|final|revised|amended|agendas?|minutes|notices?|packets?|videos?|recordings?)\b[\s:,&-]*(?:and\s+)?)*?(?:(?:agendas?|minutes|notices?|packets?|videos?|recordings?)\s+(?:of|for|from)\s+)|the\s+)/i

const adjectives =
  "regular(?:ly scheduled)?|special(?:ly)?|called|annual|(?:bi-?|semi-?)?monthly|bi-?weekly|weekly|quarterly|joint|emergency|(?:re)?-?organi[sz]ational|virtual|remote|online|hybrid|in-person|public|budget|study|work|working|closed|executive|business|adjourned|continued|rescheduled|agenda|planning|informational|general|first|second|third|full|open|strategic|goal[- ]setting|canvass|combined|tentative"
/** The part of a title that says what kind of meeting it is. */
const occasion = new RegExp(
  `\\s*\\b(?:(?:${adjectives})[\\s,/&-]+(?:and\\s+)?)*(?:meetings?|mtgs?\\b\\.?|hearings?|sessions?|workshops?|work ?session|retreat|site (?:visit|walk)s?|caucus|agenda review|briefing)\\b`,
  "i"
)

const lastOccasion = new RegExp(`${occasion.source}$`, "i")

const lead =
  /^(?:(?:regular(?:ly scheduled)?|called|adjourned|continued|rescheduled|virtual|remote|hybrid|monthly|quarterly|weekly|tentative)\s+)+|^(?:(?:special|emergency|annual|joint|organi[sz]ational)\s+)+(?=(?:city|town|village|county|borough|township|parish|common|council|board|commission|planning|zoning|school|park)\b)/i

/** The nouns of bodies in a phrase, the last one first, each with what follows it. */
const nounsIn = (phrase: string): ReadonlyArray<{ readonly from: number; readonly rest: string }> =>
  [...phrase.matchAll(noun)]
    .map((found) => ({ from: found.index, rest: phrase.slice(found.index + found[0].length) }))
    .toReversed()

const hasNoun = (phrase: string): boolean => nounsIn(phrase).length > 0

/** A phrase that is about a body rather than its name: "Seeking applicants for the Zoning Board". */
const isAbout = (phrase: string, at: number): boolean => {
  const [, prior] =
    /^(.*?)\b(?:for|with|by|at|to|on|vs\.?|versus|from|of)\s(?!.*\b(?:for|with|by|at|to|on|vs)\b)/i.exec(
      phrase.slice(0, at)
    ) ?? []
  return prior !== undefined && announced.test(prior)
}

/** A phrase without the names of papers at its end. */
const withoutPapers = (phrase: string): string => {
  const shorter = phrase.replace(papers, "")
  return shorter === phrase || trim(shorter) === "" ? phrase : withoutPapers(shorter)
}

type Strength = "named" | "short"

/** Whether a phrase is a body's name, and nothing more; "short" if only its subject is named. */
const strengthOf = (phrase: string): Strength | undefined => {
  if (foreign.test(phrase)) return undefined
  const letters = phrase
    .replace(/[.]/g, "")
    .replace(/\s*&\s*/g, " and ")
    .replace(/\s*(?:#|no )?\d+$/i, "")
  if (byLetters.test(letters)) return "named"
  const nouns = nounsIn(phrase)
  if (nouns.length > 0) {
    const isName = nouns.some(({ from, rest }) => tail.test(rest) && !events.test(rest) && !isAbout(phrase, from))
    return isName ? "named" : undefined
  }
  if (/^(?:(?:annual|special|representative|fall|spring|budgetary)\s+)*town (?:meeting|caucus)s?$/i.test(phrase))
    return "named"
  return isTopic(phrase.replace(/\s*&\s*/g, " and ")) ? "short" : undefined
}

/** Of bodies that meet together, the one that is named first. */
const firstOfJoint = (phrase: string): string => {
  const parts = phrase.split(/\s+(?:and|&|with)\s+(?:the\s+)?|\s*[,/]\s*/i)
  const at = parts.findIndex(hasNoun)
  const first = parts.slice(0, at + 1).join(" and ")
  return at >= 0 && hasNoun(parts.slice(at + 1).join(" ")) && strengthOf(first) === "named" ? first : phrase
}

/** The phrases of a part of a title that may be the body's name, likeliest first. */
const phrasesOf = (part: string): ReadonlyArray<string> => {
  const plain = trim(withoutPapers(part.replace(before, "")))
  const met = occasion.exec(plain)
  if (met === null) {
    const first = trim(plain.replace(/,.*/, ""))
    return nounsIn(first)[0]?.rest === "" ? [first, plain] : [plain]
  }
  const [left, right] = [plain.slice(0, met.index), trim(plain.slice(met.index + met[0].length))]
  const follows = /^(?:of|for|by|with|on)\s+(?:the\s+)?/i
  const isInside = hasNoun(right) && !follows.test(right) && !/^[-–—:]/.test(right)
  if (isInside) return [plain, trim(plain.replace(lastOccasion, ""))]
  const body = right.replace(follows, "")
  return left.trim() === "" && hasNoun(body) ? [body] : [trim(left), plain]
}

/** Whether what stands beside a body's name says that it meets: "Planning Commission Meeting - Sale of Land". */
const saysMeeting = (rest: string): boolean => /\b(?:meeting|mtg|hearing)s?\b/i.test(rest)

/** Several bodies that meet as one, and not a body that is called joint. */
const joint = /\bjoint\b[^()]*\b(?:meeting|mtg|session|hearing|workshop|retreat)s?\b/i

/** A committee that meets for the council or board named before it; one of the whole is that council. */
const ofAnother = /\b(?:sub-?committee|committee(?! of the whole)|task force|work(?:ing)? ?group)s?\b/i

/**
 * The body whose meeting a calendar entry is, by the entry's title without dates and notices; undefined if it names
 * none, or says that something else takes place: city calendars also list holidays, classes and deadlines.
 */
export const bodyName = (title: string): string | undefined => {
  const plain = title
    .replace(/\p{Cf}/gu, "")
    .replace(/\s/g, " ")
    .replace(/\(([^()]*)\)\s*(?=[\w-])/g, " ")
  const parts = plain.split(/\s+[-–—|]+\s+|\s*[:;()[\]]\s*/).filter((part) => part.trim() !== "")
  const isJoint = joint.test(plain)
  const found = parts.flatMap((part, at) =>
    phrasesOf(part).flatMap((phrase) => {
      const name = trim((isJoint ? firstOfJoint(phrase) : phrase).replace(lead, "").replace(/^the\s+/i, ""))
      const strength = name === "" ? undefined : strengthOf(name)
      return strength === undefined ? [] : [{ name, strength, at }]
    })
  )
  const named = found.filter(({ strength }) => strength === "named")
  const best = named.find(({ name }) => name.includes(" ") && ofAnother.test(name)) ?? named[0] ?? found[0]
  if (best === undefined) return undefined
  const others = parts.filter((_, at) => at !== best.at).join(" ")
  const rest = plain.replace(best.name, " ")
  if ((saysMeeting(rest) ? unheld : events).test(rest)) return undefined
  const isAlone = !events.test(plain) && trim(withoutPapers(others.replace(occasion, ""))) === ""
  return best.strength === "named" || isAlone ? spelledOut(best.name) : undefined
}

/** Whether a title without dates and notices says no more than that somebody meets: "Special Meeting", "Agenda". */
export const isMeeting = (title: string): boolean =>
  trim(withoutPapers(title).replace(occasion, "").replace(papers, "")) === ""
