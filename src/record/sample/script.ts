/** What one person says without a break, as written in a script. */
interface Turn {
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

/** The lines of a text that are not empty. */
export const writtenLines = (text: string): ReadonlyArray<string> => text.split("\n").filter((line) => line !== "")

/** The lines of a table by their fields, separated by `|`; a field that is empty or missing is undefined. */
export const rowsOf = (table: string): ReadonlyArray<ReadonlyArray<string | undefined>> =>
  writtenLines(table).map((line) => line.split(/\s\|(?=\s)/).map((field) => field.trim() || undefined))

/** A turn: `Name: text`, or `Name #label: text`. */
export const turnForm = /^([^:#]+?)(?: #([\w-]+))?: (.+)$/u

/** Reads a script; a part without a title has the one in `titles`, the agenda's. */
export const readScript = (script: string, titles: ReadonlyMap<string, string>): ReadonlyArray<Part> => {
  const parts: Array<Part & { readonly turns: Array<Turn> }> = []
  for (const line of writtenLines(script)) {
    if (line.startsWith("@")) {
      const [number = "", chapter = ""] = line
        .slice(1)
        .split("|", 2)
        .map((field) => field.trim())
      parts.push({ title: chapter || (titles.get(number) ?? ""), number: number || undefined, turns: [] })
      continue
    }
    const [, speaker = "", label, text = ""] = turnForm.exec(line) ?? []
    parts.at(-1)?.turns.push({ speaker, text, label })
  }
  return parts
}
