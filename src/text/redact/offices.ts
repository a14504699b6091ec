import type { Tokens } from "./tokens.ts"

const joined = (tokens: Tokens, from: number, to: number): string =>
  tokens
    .slice(Math.max(0, from), Math.max(0, to))
    .map(({ word, breaks }) => (breaks === "sentence" ? `${word} .` : breaks === "clause" ? `${word} ,` : word))
    .join(" ")

const anywhere = (patterns: ReadonlyArray<string>): RegExp => new RegExp(`(?:^| )(?:${patterns.join("|")})(?: |$)`, "u")

/** Those whom residents speak for: their addresses are homes all the same. */
const civic =
  "(?:residents?|neighbors?|neighborhoods?|homeowners?|family|wife|husband|mother|father|children|kids|hoa|myself|ourselves|me|us|coalition|league|citizens?|community|communities|grassroots|town hall|council|club|union|parents|friends|condo|condominium|subdivision|tenants?|nobody|anyone|any|only)"

/** Speaking for a client or a business, but not for neighbors and not in `I'm not here to represent`. */
const client = new RegExp(
  `(?:^| )(?<!(?:not|nor|dont|never)(?: \\w+){0,3} )(?:represent|represents|representing|on behalf of|speaking for|appearing for|counsel for|attorney for) (?!(?:[\\w,]+ ){0,7}?${civic}(?: |$))`,
  "u"
)

/** What shows an office wherever it is said near an address. */
const always = anywhere([
  "suite",
  "(?:my|our) clients?",
  "(?:here )?(?:for|representing|represent|behalf of) the (?:applicant|petitioner|owner|owners|developer|client|company|entity|appellant|property owners?|contractor|seller|buyer)",
  "(?:my|our) (?:business|office|company|work|store|firm) (?:address|is|at|here)",
  "(?:this is|heres|here is) (?:our|the|your) (?:\\w+ )?(?:report|update|presentation|budget)",
  "as (?:the )?(?:\\w+ )?(?:director|manager|superintendent|chief|administrator)",
  "(?:my|our) (?:staff|department)",
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
  "(?:im|i am|as|name is) (?:the |a |an )?(?:\\w+ ){0,3}(?:director|manager|superintendent|principal|chief|captain|lieutenant|sergeant|officer|planner|administrator|coordinator|ceo|developer)(?: \\w+| ,|$)",
  "(?:lieutenant|sergeant|captain|chief|deputy|detective|commissioner|councilman|councilwoman|councilmember) \\w+(?: \\w+)?,?",
  "(?:executive|deputy|assistant|planning|finance|development|managing|general) (?:director|manager)",
  "director",
  "register of deeds",
  "(?:county|city|town) (?:clerk|manager|attorney|planner|treasurer|assessor|administrator|planning|engineering|schools)",
  "(?:with|from|of) the (?:\\w+ ){0,4}(?:department|office|agency|authority|commission|company|firm|bank|chamber|foundation|corporation)",
  "(?:im|i am) with",
  "(?:engineering|homes|construction|properties|associates|architects|consulting|consultants|partners|realty|realtors|builders|llc|inc|corporation|holdings|investments|chamber|company|group|bank) ,",
  "with (?:\\w+ ){1,3}(?:and \\w+ )?,"
])

/** The same in the sentence that goes on after it. */
const after = anywhere([
  "(?:attorney|counsel|architect|engineer|surveyor) (?:for|,|\\.)",
  "off premises?",
  "on premises?",
  "on and off premises?",
  "(?:association|board) of realtors",
  "(?:\\w+ ){0,3}(?:engineering|homes|construction|properties|associates|architects|consulting|realty|realtors|builders|llc|inc|corporation|holdings|company|bank)(?: ,| \\.|$)"
])

const sentenceEnd = (text: string): string => text.slice(text.lastIndexOf(" . ") + 1)

/** Whether the words around an address show that who speaks does so for an office, a business or a client. */
export const representedAround = (tokens: Tokens, from: number, to: number, start: number): boolean => {
  const said = joined(tokens, Math.max(start, from - 16), from)
  const next = joined(tokens, to, to + 16)
  const ends = joined(tokens, to - 1, to).endsWith(" .")
  const rest = ends ? "" : (next.split(" . ")[0] ?? "").split(" ").slice(0, 9).join(" ")
  return (
    tokens.slice(from, to).some(({ word }) => word === "suite") ||
    always.test(`${said} | ${next}`) ||
    client.test(said) ||
    client.test(next) ||
    before.test(sentenceEnd(said).replaceAll(/ with (?:my|our) \w+(?: \w+)?/gu, "")) ||
    after.test(rest)
  )
}
