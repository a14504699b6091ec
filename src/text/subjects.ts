/** What is known of a meeting: its body and the items of its agenda that tell it from others. */
interface Told {
  readonly about?: ReadonlyArray<string>
  readonly body: { readonly name: string }
}

/** What is done with a subject, before it: `Expanding loading zones`, `Oversight - Hunger in schools`. */
const before =
  /^(?:(?:oversight|hearing|discussion|presentation|update|report)\s*(?:[-–:]+|on|of)\s*)?(?:\p{L}+ing\s+)?(?:(?:the|an?|on|of|for|in|to|office)\s+)*/iu

/** Words of procedure: with one of them it is no subject that somebody would look for. */
const procedure =
  /\b(?:appoint\w*|nominat\w*|designat\w*|council\w*|committee|commission\w*|board|member\w*|meeting|session|resolution|ordinance|motion|amend\w*|extender|approv\w*|authoriz\w*|applica\w*|agenda|minutes|report|reports|preconsidered|fiscal|various|item|items|vote|public hearings?|public comments?)\b/i

const subjectIn = (item: string): string | undefined => {
  const subject =
    item
      .replace(/[.…]+$/, "")
      .replace(before, "")
      .split(/[,;:(–]| - /)[0]
      ?.trim() ?? ""
  const words = subject.split(/\s+/)
  const fits = words.length >= 2 && words.length <= 4 && subject.length <= 32 && !item.endsWith("…")
  if (!fits || /[^\p{L}\s'’-]/u.test(subject) || procedure.test(subject)) return undefined
  // Titles in capitals are read as words; a name keeps its own.
  return subject === subject.toUpperCase() ? subject.toLowerCase() : subject
}

/**
 * Subjects of meetings in a few words, for people who do not know yet what there is to find: those of several meetings
 * first, then the newest, and of each body one. A body's own name is none: a search for it finds all that it ever did.
 */
export const subjectsOf = (meetings: ReadonlyArray<Told>, most: number): ReadonlyArray<string> => {
  const found = new Map<string, { readonly subject: string; readonly bodies: Set<string>; count: number }>()
  for (const { about = [], body } of meetings) {
    for (const item of about) {
      const subject = subjectIn(item)
      if (subject === undefined || body.name.toLowerCase().includes(subject.toLowerCase())) continue
      const key = subject.toLowerCase()
      const one = found.get(key) ?? { subject, bodies: new Set(), count: 0 }
      one.bodies.add(body.name)
      one.count += 1
      found.set(key, one)
    }
  }
  const taken = new Set<string>()
  return [...found.values()]
    .toSorted((a, b) => b.count - a.count)
    .filter(({ bodies }) => {
      const isNew = ![...bodies].some((body) => taken.has(body))
      for (const body of bodies) taken.add(body)
      return isNew
    })
    .slice(0, most)
    .map(({ subject }) => subject)
}
