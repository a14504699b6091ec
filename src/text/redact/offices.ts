import type { Address } from "./address.ts"
import { whole } from "./patterns.ts"
import { facilities } from "./sign-words.ts"
import type { Tokens } from "./tokens.ts"

const joined = (tokens: Tokens, from: number, to: number): string =>
  tokens
    .slice(Math.max(0, from), Math.max(0, to))
    .map(({ word, breaks }) => (breaks === "sentence" ? `${word} .` : breaks === "clause" ? `${word} ,` : word))
    .join(" ")

const anywhere = (patterns: ReadonlyArray<string>): RegExp => new RegExp(`(?:^| )(?:${patterns.join("|")})(?: |$)`, "u")

/** Those whom residents speak for: their addresses are homes all the same. */
const civic = `(?:${[
  "residents?|neighbors?|neighborhoods?|homeowners?|alliance|association(?! of realtors)|family|wife|husband",
  "mother|father|children|kids|hoa|myself|ourselves|me|us|coalition|league|citizens?|community|communities",
  "grassroots|town hall|council|club|union|parents|friends|students?|teachers?|taxpayers?|voters?|people",
  "condo|condominium|subdivision|tenants?|nobody|anyone|any|only"
].join("|")})`

const speaksFor = "represents?|representing|on behalf of|(?:speaking|appearing|counsel|attorney) for"

/** Speaking for a client or a business, but not for neighbors and not in `I'm not here to represent`. */
const client = new RegExp(
  `(?:^| )(?<!(?:not|nor|dont|never)(?: \\w+){0,3} )(?:${speaksFor}) (?!(?:[\\w,]+ ){0,7}?${civic}(?: |$))`,
  "u"
)

/** The last words of the names of firms. */
const businesses = [
  "engineering|homes|construction|properties|associates|architects|consulting|consultants|partners|realty|realtors",
  "builders|llc|inc|incorporated|corporation|holdings|investments|chamber|company|group|bank|surveying|plumbing",
  "roofing|landscaping|electric|designs?|studios?|enterprises|developers|development|management|solutions|systems|pllc"
].join("|")

const requests = "requests?|requesting|seeks?|seeking|applies|applied|asks for|asking for|proposes|wants"

/** Those whom professionals speak for. */
const principals =
  "applicant|petitioner|owners?|developer|client|company|entity|appellant|property owners?|contractor|seller|buyer"
const professions = "engineer|architect|attorney|surveyor|planner|contractor|agent|representative"
const positions = [
  "director|manager|superintendent|principal|chief|captain|lieutenant|sergeant|officer|planner|administrator",
  "coordinator|ceo|developer"
].join("|")
const ranks = "lieutenant|sergeant|captain|chief|deputy|detective|commissioner|councilman|councilwoman|councilmember"
const bodies = "department|office|agency|authority|commission|company|firm|bank|chamber|foundation|corporation"

/** What shows an office wherever it is said near an address. */
const always = anywhere([
  "(?:my|our) clients?",
  `(?:for|representing|represent|behalf of) the (?:${principals})`,
  "(?:my|our) (?:business|office|company|work|store|firm) (?:address|is|at|here)",
  "(?:this is|heres|here is) (?:our|the|your) (?:\\w+ )?(?:report|update|presentation|budget)",
  "as (?:the )?(?:\\w+ )?(?:director|manager|superintendent|chief|administrator)",
  "(?:my|our) (?:staff|department)",
  `(?:im|i am) (?:the|an?) (?:\\w+ )?(?:${professions}) (?:on|for|of)`,
  "currently operating"
])

/** Who a speaker says they are before their address. */
const before = anywhere([
  "attorney",
  "lawyer",
  "counsel",
  "law (?:firm|offices?)",
  "architect",
  "(?:project|civil|design|traffic|county|city|consulting) engineer",
  "engineer (?:for|on|with)",
  "surveyor",
  `(?:im|i am|as|name is) (?:the |a |an )?(?:\\w+ ){0,3}(?:${positions})(?: \\w+| ,|$)`,
  `(?:${ranks}) \\w+(?: \\w+)?,?`,
  "(?:superintendent|director|manager|chief|sheriff|commissioner|ceo|dean) (?:of|for|with|at) (?!my |our )\\w+",
  "(?:executive|deputy|assistant|planning|finance|development|managing|general) (?:director|manager)",
  "director",
  "register of deeds",
  "chamber of commerce",
  "(?:county|city|town) (?:clerk|manager|attorney|planner|treasurer|assessor)",
  "(?:county|city|town) (?:administrator|planning|engineering|schools)",
  `(?:with|from|of) the (?:\\w+ ){0,4}(?:${bodies})`,
  "(?:im|i am) with",
  "(?:pastor|minister|rector|rabbi|imam|priest|owner|operator|proprietor) (?:of|at)",
  `president (?:of|at) (?!(?:\\w+ ){0,5}?${civic})`,
  `(?:${businesses}) ,`,
  "with (?!(?:a|an|my|our|the|his|her) )(?:\\w+ ){1,3}(?:and \\w+ )?,"
])

/** The same in the sentence that goes on after it. */
const after = anywhere([
  "suite",
  "(?:attorney|counsel|architect|engineer|surveyor) (?:for|,|\\.)",
  "off premises?",
  "on premises?",
  "on and off premises?",
  "(?:association|board) of realtors",
  `(?:\\w+ ){0,3}(?:${businesses})(?: ,| \\.|$)`,
  "(?:first|second|third) offense",
  "owner (?:,|first|second|of)",
  `(?:${requests}) (?:\\w+ ){0,5}(?:permit|variance|rezoning|license|approval|exception|waiver|sign|extension|plat)`
])

/** What follows a site. */
const siteAfter =
  /^(?:(?:that|which) (?:is|was) |is )?(?:located|(?:currently )?zoned|contains|consists|proposed|owner|applicant)\b/u

/** The words of the last sentences; a question is somebody else's. */
const lastSentences = (tokens: Tokens, start: number, from: number, most: number): string => {
  let at = from
  let sentences = 0
  while (at > start && from - at < 16) {
    const token = tokens[at - 1]
    if (token?.asks === true || token?.word === "" || (token?.breaks === "sentence" && ++sentences > most)) break
    at--
  }
  return joined(tokens, at, from)
}

/** Where the remarks on an address end: in a later sentence, at a number, which may begin the next address. */
const remarksEnd = (tokens: Tokens, from: number, most = 16): number => {
  let isLater = tokens[from - 1]?.breaks === "sentence"
  let at = from
  while (at < from + most && !(isLater && /^\d\d/u.test(tokens[at]?.word ?? ""))) {
    if (tokens[at]?.breaks === "sentence") isLater = true
    at++
  }
  return at
}

const titles = whole([
  "director|chief|sheriff|superintendent|manager|administrator|commissioner|councilman|councilwoman",
  "councilmember|alderman|trustee|lieutenant|captain|sergeant|supervisor|officer|deputy|engineer"
])

/** Whether a title came with the name before: `Director Mack` ... `Joseph Mack, 12 Elm Street`. */
const isTitled = (tokens: Tokens, from: number): boolean => {
  const surname = tokens[from - 1]
  if (surname?.name !== true) return false
  for (let at = from - 3; at >= Math.max(0, from - 90); at--) {
    if (tokens[at + 1]?.word !== surname.word) continue
    if (titles.test(tokens[at]?.word ?? "")) return true
    // Residents are doctors too, but they are called and not asked: `Dr. Mack, what is the rent?`
    if (tokens[at]?.word === "dr" && tokens[at + 1]?.breaks === "clause" && from - at > 12) return true
  }
  return false
}

/** Whether a business on the same street was just announced: `Next is Lee's Market on Cherry Street.` */
const isAnnounced = (tokens: Tokens, from: number, street: string | undefined): boolean => {
  if (street === undefined) return false
  for (let at = from - 1; at >= Math.max(1, from - 70); at--) {
    if (tokens[at]?.word !== street) continue
    const on = [at - 1, at - 2].find((before) => tokens[before]?.word === "on")
    const name = on === undefined ? undefined : tokens[on - 1]
    if (name?.name === true && name.cased) return true
  }
  return false
}

const staffCall = anywhere([
  "(?:call on|hear from|turn (?:it over )?to) (?:\\w+ ){0,4}(?:county|city|staff|engineering|department|planning)"
])

/** Whether staff were just called: `I'd like to call on county engineering.` */
const isStaffCalled = (tokens: Tokens, from: number): boolean => staffCall.test(joined(tokens, from - 80, from))

/** Whether it is the address of a place that was just spoken of: `a place called Lee's. The address is` */
const isPlaces = (tokens: Tokens, from: number, start: number): boolean =>
  /(?:^| )the address is$/u.test(joined(tokens, from - 3, from)) &&
  tokens.slice(Math.max(start, from - 24), from).some(({ word, name }) => facilities.has(word) && !name)

/** Whether the words around an address show that who speaks does so for an office, a business or a client. */
export const representedAround = (tokens: Tokens, from: number, { end, street }: Address, start: number): boolean => {
  const said = lastSentences(tokens, start, from, 2)
  const sentence = lastSentences(tokens, start, from, 1)
  const next = joined(tokens, end, remarksEnd(tokens, end))
  const isEnd = tokens[end - 1]?.breaks === "sentence"
  const rest = isEnd ? "" : (next.split(" . ")[0] ?? "").split(" ").slice(0, 9).join(" ")
  return (
    tokens.slice(from, end).some(({ word }) => word === "suite") ||
    always.test(`${said} | ${next}`) ||
    client.test(said) ||
    // The neighbors whom somebody represents may come late.
    (client.test(next) && client.test(joined(tokens, end, remarksEnd(tokens, end, 24)))) ||
    /(?:^| )(?:im|i am) with(?: |$)/u.test(said) ||
    before.test(sentence.replaceAll(/ with (?:my|our) \w+(?: \w+)?/gu, "")) ||
    after.test(rest) ||
    siteAfter.test(next) ||
    isTitled(tokens, from) ||
    isStaffCalled(tokens, from) ||
    isPlaces(tokens, from, start) ||
    isAnnounced(tokens, from, street)
  )
}
