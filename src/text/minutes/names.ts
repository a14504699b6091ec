/** Titles that stand before a name. */
const title =
  "(?:(?:Council|Committee|Board|City|Vice|Deputy|Lieutenant|Mayor|Pro|Tem|President|School|County)[ -]?)*(?:Council ?(?:member|Member|man|woman|person|men|women)s?|Councill?ors?|Commissioners?|Supervisors?|Alder(?:man|men|woman|person)?|Trustees?|Directors?|Members?|Mayor(?: Pro[ -]Tem(?:pore)?)?|Chair(?:man|woman|person)?|President|Vice[ -](?:Chair(?:man|woman|person)?|President|Mayor)|Legislator|Select(?:man|woman|person)|Freeholder|Delegate|Judge|Secretary|Treasurer|Clerk|Mr|Mrs|Ms|Miss|Dr|Rev|Hon)\\.?"

const word = "(?:\\p{Lu}\\.|(?:Mc|Mac|De|La|Le|Van|Von|O['’])?\\p{Lu}[\\p{L}'’]*(?:-\\p{Lu}[\\p{L}'’]*)?)"

/** A person as minutes name one: titles, and one to four words with capitals. */
export const namePattern = `(?:(?:${title})\\s+){0,2}${word}(?: (?:(?:de|la|del|van|von|der|den|St\\.) )?${word}){0,3}(?:,? (?:Jr|Sr|II|III|IV)\\b\\.?)?`

const whole = new RegExp(`^${namePattern}$`, "u")
const leading = new RegExp(`^(?:(?:${title})\\s+)+`, "u")

/** Roles that follow a name after a comma, and are nobody themselves. */
const role = new RegExp(
  `^(?:${title}(?:\\s+(?:Pro[ -]Tem(?:pore)?|Elect))?|(?:Ward|District|Seat|Zone|At[ -]Large)\\b.*|(?:\\d+(?:st|nd|rd|th)\\s+)?(?:Ward|District)|(?:Vice\\s+)?(?:Chair|President)|Jr\\.?|Sr\\.?)$`,
  "iu"
)

/** Words with capitals that no person is called. */
const nobody =
  /\b(?:Motion|Vote|Ayes?|Nays?|Noes?|Yeas?|None|All|Absent|Present|Excused|Council|Board|Committee|Commission|City|County|Staff|Approved?|Resolution|Ordinance|Item|Agenda|Minutes|Meeting|Members?|Others?|Roll|Call|Quorum|Public|Unanimous(?:ly)?|Carried|Passed|Seconded|Moved|The|And|By|To)\b/u

const spaced = (text: string): string => text.replace(/\s+/gu, " ").trim()

/** A name as written, without titles; undefined for what is not surely one. */
export const nameOf = (text: string): string | undefined => {
  const written = spaced(text)
    .replace(/\s*\([^)]*\)$/u, "")
    .replace(/[.:;,]+$/u, (end) => (end === "." ? "." : ""))
  if (!whole.test(written) && !whole.test(written.replace(/\.$/u, ""))) return undefined
  const bare = written.replace(leading, "").replace(/(?<!\b(?:Jr|Sr|\p{Lu}))\.$/u, "")
  return bare === "" || nobody.test(bare) || role.test(bare) ? undefined : bare
}

/** A list of people, and whether nothing in it was left unread. */
export interface NameList {
  readonly names: ReadonlyArray<string>
  readonly isWhole: boolean
}

/** The people of a list with commas, semicolons, `and` or line breaks between them. `None` is an empty list. */
export const namesIn = (text: string): NameList => {
  const listed = text.replace(/^\s*\(?\d+\)?\s*(?:[-–—:]|(?=\p{Lu}))\s*/u, "").replace(/[.;,\s]+$/u, "")
  if (/^\(?(?:none|n\/a|0|zero|-+|–|nobody|no one)?\)?$/iu.test(listed.trim())) return { names: [], isWhole: true }
  const parts = listed
    .split(/\s*(?:[;\n•·]|,(?!\s*(?:Jr|Sr|II|III|IV)\b)|\s+(?:and|&)\s+)\s*/u)
    .map((part) => spaced(part.replace(/^(?:and|&)\s+/u, "")))
    .filter((part) => part !== "" && !role.test(part))
  const names = parts.flatMap((part) => nameOf(part) ?? [])
  return { names: [...new Set(names)], isWhole: names.length === parts.length }
}
