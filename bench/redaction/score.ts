/** A labeled candidate, and whether the rules remove it. */
export interface Outcome {
  readonly name: string
  /** The kind of what must go, or `stays`. */
  readonly label: string
  readonly isRemoved: boolean
}

const share = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(3))

/** A row for each kind with its recall, and one for all kinds with their precision. */
export const table = (title: string, outcomes: ReadonlyArray<Outcome>): ReadonlyArray<string> => {
  const kinds = [...new Set(outcomes.map(({ label }) => label))].filter((label) => label !== "stays").sort()
  const goes = outcomes.filter(({ label }) => label !== "stays")
  const right = goes.filter(({ isRemoved }) => isRemoved).length
  const wrong = outcomes.filter(({ label, isRemoved }) => label === "stays" && isRemoved).length
  const rows = kinds.map((kind) => {
    const of = goes.filter(({ label }) => label === kind)
    const found = of.filter(({ isRemoved }) => isRemoved).length
    return `| ${title} | ${kind} | ${of.length} | ${share(found, of.length)} | |`
  })
  const all = `| ${title} | all, beside ${outcomes.length - goes.length} that stay | ${goes.length} |`
  return [...rows, `${all} ${share(right, goes.length)} | ${share(right, right + wrong)} |`]
}
