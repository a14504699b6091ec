import type { Tokens } from "./tokens.ts"

const joined = (tokens: Tokens, from: number, to: number): string =>
  tokens
    .slice(Math.max(0, from), to)
    .map(({ word, breaks }) => (breaks === "sentence" ? `${word} .` : word))
    .join(" ")

/** Those whom residents speak for: their addresses are homes all the same. */
const neighbors =
  "(?:my|our|myself|mine|ourselves|us|his|her|a|the|all|some|many|other|several|most|rest|of|residents|neighbors|neighborhood|neighborhoods|homeowners|family|wife|husband|mother|father|children|kids|hoa)"

const represents = `(?:represent|representing|represents|on behalf of|behalf of|here for|speaking for|appearing for|counsel for|for) (?!(?:${neighbors} )*(?:residents|neighbors|neighborhood|neighborhoods|homeowners|family|wife|husband|mother|father|children|kids|hoa|myself|ourselves|me|item|the record))`

const office = new RegExp(
  [
    "suite",
    "attorney(?! general)",
    "lawyer for",
    "counsel",
    "law (?:firm|office|director)",
    "architect",
    "engineer (?:for|on|with)",
    "(?:project|civil|design|traffic|county|city|consulting) engineer",
    "surveyor",
    "(?:my|our) client",
    "(?:business|corporate|company|office|work|store) (?:address|is|at)",
    "(?:for|representing|represent|behalf of) the (?:applicant|petitioner|owner|owners|developer|client|company|entity|appellant|property owner|property owners|contractor|seller|buyer)",
    "represent the (?:applicant|petitioner|owner|owners|developer)",
    "(?:executive|deputy|assistant|planning|department|parks|finance|development|program|managing|works) director",
    "director (?:of|for|with)",
    "(?:fire|police) chief",
    "superintendent",
    "(?:im|i am) (?:with|the manager|a manager|the general manager|the pastor of|the principal|the owner of the|the ceo|the president of the (?:company|chamber))",
    "(?:with|from) the (?:\\w+ ){0,4}(?:department|office|agency|authority|commission|county|city|state|district|company|firm|bank|chamber|association of|foundation|corporation)",
    "with (?:\\w+ ){0,3}(?:engineering|homes|construction|development|properties|associates|group|architects|consulting|company|consultants|partners|realty|builders|llc|inc|corporation|design|holdings|investments|planning|surveying|law)",
    "(?:this is|heres|here is) (?:our|the|your) (?:\\w+ )?(?:report|update|presentation|budget)",
    "on the applicants behalf",
    "currently operating"
  ]
    .map((pattern) => `(?:^| )${pattern}(?: |$)`)
    .concat(`(?:^| )${represents.replaceAll("|for)", ")")}`)
    .join("|"),
  "u"
)

/** Whether the words around an address show that who speaks does so for an office, a business or a client. */
export const representedAround = (tokens: Tokens, from: number, to: number, start: number): boolean =>
  office.test(joined(tokens, Math.max(start, from - 16), to + 14))
