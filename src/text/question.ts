/** Words that a question begins with, or that it needs for its grammar. */
const opening = new Set(
  (
    "when who what where why how which whose whom did does do is are was were has have had will would can could should " +
    "may might shall there any"
  ).split(" ")
)

/** Who acts, in questions about meetings: the record is about them, so they say little of a subject. */
const actors = new Set(
  (
    "council councils councilmembers commission commissioners county city town board committee they them people anyone " +
    "anybody someone somebody everyone citizens residents neighbors officials government members member it he she we " +
    "the a an this that these those"
  ).split(" ")
)

/** What they do, and by which words the record tells of it. */
const acts: ReadonlyArray<readonly [asked: string, said: string]> = [
  ["vote votes voted voting", "vote approved motion"],
  ["approve approves approved approval pass passes passed adopt adopted", "approved adopted passed vote"],
  ["decide decides decided decision", "approved vote decision"],
  ["reject rejected deny denied", "denied rejected failed"],
  ["oppose opposes opposed opposing against", "opposed oppose opposition"],
  ["support supports supported favor", "support favor"],
  ["talk talked talks talking discuss discussed discussing say said says speak spoke spoken speaking", "discussion"],
  ["hear heard hearing hearings", "hearing"],
  [
    "happen happened happening do doing done about think on for in of to so few many " +
      "much more change changed make made allow allowed fix get got law laws rule rules",
    ""
  ]
]

const said = new Map(acts.flatMap(([asked, words]) => asked.split(" ").map((act) => [act, words] as const)))

/** A question about meetings. */
export interface Question {
  /** The words of its subject. */
  readonly subject: string
  /** The words that say nothing of it, in their order, without those that search ignores anyway. */
  readonly dropped: ReadonlyArray<string>
  /** Words by which the record tells of what is asked: they help, and need not be there. */
  readonly helpful: ReadonlyArray<string>
}

const plain = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{N}'’-]/gu, "")

/**
 * Reads `when did the council vote on short term rentals` as a search for short term rentals that prefers votes.
 * Undefined unless the text begins as a question does, is longer than two words, uses nothing of the grammar of search
 * (quotes, scopes, `-` or `or`), and has a subject.
 */
export const questionIn = (q: string): Question | undefined => {
  const words = q.trim().split(/\s+/u)
  const isPlain = !/["“”:]|(?:^|\s)-|(?:^|\s)or(?:\s|$)/iu.test(q)
  if (words.length < 3 || !isPlain || !opening.has(plain(words[0] ?? ""))) return undefined
  const isSubject = (word: string) => !opening.has(word) && !actors.has(word) && !said.has(word)
  const subject = words.filter((word) => isSubject(plain(word)))
  if (subject.length === 0) return undefined
  const acting = words.map(plain).flatMap((word) => said.get(word)?.split(" ") ?? [])
  const bodies = words.map(plain).filter((word) => ["council", "commission", "board", "committee"].includes(word))
  const dropped = words.filter((word) => {
    const form = plain(word)
    return (said.get(form) ?? "") !== "" || (actors.has(form) && form.length > 4)
  })
  return {
    subject: subject.join(" ").replace(/[?!.]+$/u, ""),
    dropped,
    helpful: [...new Set([...acting, ...bodies])].filter((word) => word !== "")
  }
}
