/** What one person says without a break, as written in a script. */
export interface Turn {
  readonly speaker: string
  readonly text: string
  readonly label: string | undefined
}

/** A part of a script: the turns under one heading. */
export interface Part {
  readonly title: string
  /** Number of the agenda item that begins here. */
  readonly number: string | undefined
  readonly turns: ReadonlyArray<Turn>
}

/** The fields of a line, separated by `|`; a field that is empty or missing is undefined. */
export const fieldsOf = (line: string): ReadonlyArray<string | undefined> =>
  line.split(/\s\|(?=\s)/).map((field) => field.trim() || undefined)

/** The lines of a text that are not empty. */
export const writtenLines = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** Reads a script (see `AuthoredMeeting`); a chapter without a title has the one in `titles`, the agenda's. */
export const readScript = (script: string, titles: ReadonlyMap<string, string>): ReadonlyArray<Part> => {
  const parts: Array<Part & { readonly turns: Array<Turn> }> = []
  for (const line of writtenLines(script)) {
    if (line.startsWith("@")) {
      const [number, chapter] = line.slice(1).split("|", 2)
      const known = number?.trim() || undefined
      const title = chapter?.trim() || titles.get(known ?? "")
      if (title === undefined) throw new Error(`No title for the part ${line}`)
      parts.push({ title, number: known, turns: [] })
      continue
    }
    const [, speaker, label, text] = /^([^:#]+?)(?: #([\w-]+))?: (.+)$/u.exec(line) ?? []
    const part = parts.at(-1)
    if (speaker === undefined || text === undefined || part === undefined) throw new Error(`No turn: ${line}`)
    part.turns.push({ speaker, text, label })
  }
  return parts
}
