import { commonWords } from "./common-words.ts"
import { facilities, surnames } from "./sign-words.ts"
import { directions, streetTypes } from "./street-words.ts"
import type { Token, Tokens } from "./tokens.ts"

const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/u))

/** Words that open a speaker's remarks. */
const greetings = set(`
  yes hi hello hey good evening morning afternoon everybody everyone mayor vice council councilmembers councilmember members
  commissioners commissioner commission board chairman chairwoman chairperson chair madam mr mrs ms miss dr sir maam city
  county thank thanks you okay ok so well uh um sure absolutely and honorable president all again ladies gentlemen trustees
  supervisors howdy greetings buenas buenos noches dias tardes sorry oh alright right yeah now please`)

/** Words that lead to a speaker's name: `my name is`, `this is`, `I'm`. */
const leads = set(
  "name names namesll im am is its this here hes shes he llamo soy thats for record and by from of with mr mrs ms dr mister rev reverend pastor father sister"
)

/** What speakers say between their name and their address. */
const besides = set(`
  uh um er again here still at of from with in on and my the a an as is its it im i am thats are we were resident homeowner
  citizen taxpayer husband wife spouse partner neighborhood ward district retired teacher nurse veteran lifelong longtime mother
  father grandmother grandfather mom dad senior pastor reverend student farmer homemaker concerned private property neighbor
  that case this address live number also for record my name names spelled spelling first last second voter widow
  born raised native yes calling speaking online phone remotely president association homeowners hoa member block club watch captain subdivision jr sr iii iv esq one two three four five six seven eight nine ten`)

/** Titles and things that look like names in capitals. */
const unnamed = set(`
  item number resolution ordinance case agenda ward district phase section speaker public hearing report staff motion second
  thank next street road avenue project plan program fund budget total data contract bid bids page chapter permit
  st nd rd th no am pm january february march april may june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday roll aye nay north south east west zone north`)

const isPersonal = (token: Token | undefined): boolean =>
  token?.name === true &&
  !greetings.has(token.word) &&
  !unnamed.has(token.word) &&
  !leads.has(token.word) &&
  (surnames.has(token.word) || !facilities.has(token.word))

/** What is decided on, by its number: the names that follow are those of applicants. */
const cited = /^(?:item|case|ordinance|resolution|application|appeal|permit|docket|file)$/u

/** Whether one sentence ends before this token, or one segment, or the text begins. */
const begins = (tokens: Tokens, at: number, start: number): boolean =>
  at <= start || tokens[at - 1]?.breaks !== "" || tokens[at - 1]?.segment !== tokens[at]?.segment

/** The words between a name and an address that are read. */
const reach = 14

/** The words before a name that show that it is a speaker's own or a writer's. */
const isLed = (tokens: Tokens, at: number): boolean => {
  const words = tokens
    .slice(Math.max(0, at - 4), at)
    .map(({ word }) => word)
    .join(" ")
  return /(?:^| )(?:name is|names|name|im|i am|this is|its|soy|llamo|mr|mrs|ms|miss|dr|pastor|reverend|rev|yes|hi|hello|hey|evening|morning|afternoon|again|record|from|we are|are the|im the|(?:next|card|speaker|caller|up|one|last|first) is|by|sure|absolutely)$/u.test(
    words
  )
}

/** Whether a turn begins with one name, and the address follows: `Bea, 88 Sumac Court`, `Denny here, 4 Elm Street`. */
const isFirstName = (tokens: Tokens, at: number, start: number): boolean => {
  const name = tokens[at - 1]?.word === "here" ? at - 2 : at - 1
  if (!isPersonal(tokens[name]) || (name === at - 1 && tokens[name]?.breaks !== "clause")) return false
  // `Condemned: 318 Cutler Street`
  if (/(?:ed|ing|ion|ment)$/u.test(tokens[name]?.word ?? "")) return false
  let first = name
  while (first > start && greetings.has(tokens[first - 1]?.word ?? "")) first--
  return first === start && (first === 0 || tokens[first]?.turns === true || first < name)
}

/**
 * Whether only a person's name, and what speakers say beside it, stands directly before the address at this token:
 * `Jane Doe, 12 Elm Street`, `My name is Jane, I'm a nurse, 12 Elm Street`.
 */
export const isIntroduced = (tokens: Tokens, at: number, start: number): boolean => {
  if (isFirstName(tokens, at, start)) return true
  const least = Math.max(start, at - reach)
  let names = 0
  let sentences = 0
  for (let before = at - 1; before >= least; before--) {
    const token = tokens[before]
    if (token === undefined || token.word === "") return false
    if (token.breaks === "sentence" && ++sentences > 2) return false
    if (isPersonal(token) && !(names === 0 && streetTypes.has(token.word) && token.breaks === "")) {
      names++
      // A run of names that begins here, or is led to.
      const previous = tokens[before - 1]
      const isRun = isPersonal(previous) && previous?.breaks === "" && before > least
      if (isRun) continue
      const lead = isLed(tokens, before)
      // `Grant Young`, where a common word begins the sentence
      const first =
        previous !== undefined &&
        commonWords.has(previous.word) &&
        previous.capital &&
        previous.breaks === "" &&
        !greetings.has(previous.word) &&
        !unnamed.has(previous.word) &&
        begins(tokens, before - 1, start)
      const isWhole = names >= 2 || first || lead
      // `Item 6, Bob Lang, 1919 Dexter`
      if (/^\d/u.test(previous?.word ?? "") && cited.test(tokens[before - 2]?.word ?? "")) return false
      if (
        isWhole &&
        (lead ||
          first ||
          begins(tokens, before, start) ||
          (tokens[at - 1]?.word === "of" && before + names === at - 1) ||
          previous?.word === "and" ||
          greetings.has(previous?.word ?? ""))
      )
        return true
      if (
        isPersonal(previous) ||
        besides.has(previous?.word ?? "") ||
        /^\p{L}$/u.test(previous?.word ?? "") ||
        greetings.has(previous?.word ?? "")
      ) {
        names = 0
        continue
      }
      return false
    }
    names = 0
    // `Sumac Court neighborhood`
    if (token.name && streetTypes.has(token.word)) continue
    const isLetter = /^\p{L}$/u.test(token.word)
    if (/^\d{1,2}$/u.test(token.word) && /^(?:ward|district|precinct)$/u.test(tokens[before - 1]?.word ?? "")) continue
    if (!(besides.has(token.word) || isLetter || directions.has(token.word))) return false
  }
  return false
}

/** The person whose name stands before the address at this token, as its first letters: `jd` for Jane Doe. */
export const initialsBefore = (tokens: Tokens, at: number): string | undefined => {
  for (let before = at - 1; before > Math.max(0, at - 8); before--) {
    if (!isPersonal(tokens[before])) continue
    const given = tokens[before - 1]
    return isPersonal(given) && given?.breaks === "" ? `${given.word[0]}${tokens[before]?.word[0]}` : undefined
  }
  return undefined
}

/** Whether only greetings stand between the start of a speaker's turn, or a question, and the address. */
export const isGreeted = (tokens: Tokens, at: number, start: number): boolean => {
  for (let before = at - 1; before >= Math.max(0, at - 8); before--) {
    const token = tokens[before]
    if (before < start || token === undefined) return true
    if (!greetings.has(token.word)) return false
  }
  return at <= 8
}

/** Whether a full name and nothing else follows: `7 Lantern Way, Fern Albright.` */
export const isSignedAfter = (tokens: Tokens, end: number): boolean => {
  if (tokens[end - 1]?.breaks === "") return false
  let at = end
  while (at < end + 4 && isPersonal(tokens[at])) {
    at++
    if (tokens[at - 1]?.breaks !== "") break
  }
  const last = tokens[at - 1]
  return at - end >= 2 && (tokens[at] === undefined || last?.breaks !== "" || last.segment !== tokens[at]?.segment)
}

/** Whether a speaker was just called, and only greetings stand between: `Ms. Moss?`, `Next is Ann Moss.` */
export const isCalled = (tokens: Tokens, at: number): boolean => {
  let before = at - 1
  while (before >= at - 8 && tokens[before]?.asks !== true && greetings.has(tokens[before]?.word ?? "")) before--
  const end = tokens[before]
  if (end === undefined || end.breaks !== "sentence") return false
  let first = before
  while (first > Math.max(0, before - 8) && tokens[first - 1]?.breaks !== "sentence") first--
  const call = tokens.slice(first, before + 1)
  const isNamed = call.some((token) => isPersonal(token)) && !call.some(({ word }) => facilities.has(word))
  if (!isNamed) return false
  const said = call.map(({ word }) => word).join(" ")
  return end.asks
    ? /^(?:mr|mrs|ms|miss|dr) \w+(?: \w+)?$/u.test(said) || call.every((token) => isPersonal(token))
    : /(?:^next | next$|(?:youre|you are) (?:up|next)$|go ahead$|come (?:on )?(?:up|forward)$|^welcome )/u.test(said)
}
