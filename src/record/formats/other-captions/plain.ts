import { type Cue, type Cues, clockSeconds } from "./cue.ts"

const times = /^(\d{1,3}:\d{2}:\d{2}\.\d{1,3}),(\d{1,3}:\d{2}:\d{2}\.\d{1,3})\s*$/

export const isSbv = (text: string): boolean => times.test(text.trimStart().split(/\r?\n/, 1)[0] ?? "")

/** The cues of SubViewer as YouTube writes it: a line `0:00:01.000,0:00:02.000`, and the text below it. */
export const sbvCues = (text: string): Cues => {
  const cues: Array<{ start: number; end: number; text: string }> = []
  let unreadable = 0
  let isIn = false
  for (const line of text.split(/\r?\n/)) {
    const [, from, to] = times.exec(line) ?? []
    if (from !== undefined && to !== undefined) {
      cues.push({ start: clockSeconds(from), end: clockSeconds(to), text: "" })
      isIn = true
    } else if (line.trim() === "") isIn = false
    else if (isIn) {
      const last = cues.at(-1)
      if (last !== undefined) last.text += ` ${line}`
    } else unreadable++
  }
  return { cues, unreadable }
}

export const isAss = (text: string): boolean => /^\s*\[(?:script info|events|v4\+? styles)\]/i.test(text)

/** The cues of SubStation Alpha: lines `Dialogue:` with the fields of the line `Format:`, of which text is the last. */
export const assCues = (text: string): Cues => {
  const cues: Array<Cue> = []
  let unreadable = 0
  let fields: ReadonlyArray<string> = []
  let isEvents = false
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[(.*)\]\s*$/.exec(line)?.[1]
    if (section !== undefined) isEvents = /^events$/i.test(section)
    const [, kind = "", rest = ""] = /^\s*(\w+):\s*(.*)$/.exec(line) ?? []
    if (!isEvents) continue
    if (/^format$/i.test(kind)) fields = rest.split(",").map((field) => field.trim().toLowerCase())
    if (!/^dialogue$/i.test(kind)) continue
    // The text has commas of its own.
    const parts = rest.split(",")
    const values = [...parts.slice(0, fields.length - 1), parts.slice(fields.length - 1).join(",")]
    const value = (field: string) => values[fields.indexOf(field)] ?? ""
    const [start, end] = [clockSeconds(value("start")), clockSeconds(value("end"))]
    const words = value("text")
      .replace(/\{[^}]*\}/g, "")
      .replace(/\\[Nnh]/g, " ")
    const name = value("name").trim() || value("actor").trim()
    if (Number.isNaN(start) || Number.isNaN(end)) unreadable++
    else cues.push({ start, end, text: words, speaker: name === "" ? undefined : name })
  }
  // Layers may be in any order.
  return { cues: cues.toSorted((a, b) => a.start - b.start), unreadable }
}
