import type { Segment } from "../../../schema/transcript.ts"

/** Labels that recognizers give to unidentified voices. */
const unnamed = /^(speaker|spk|voice|unknown)[ _-]*\d*$/i

/** Whether nothing is known of a speaker but that it is a voice of its own, or not even that. */
export const isUnnamed = (speaker: string | undefined): boolean => speaker === undefined || unnamed.test(speaker)

/** More names than any meeting has speakers. */
const mostSpeakers = 1000
const longestName = 200

/** The speakers of a transcript by name, with the second at which each first speaks. */
export const speakersOf = (
  segments: ReadonlyArray<Segment>
): ReadonlyArray<{ readonly name: string; readonly start: number }> => {
  const first = new Map<string, number>()
  for (const { speaker, start } of segments) {
    if (speaker === undefined) continue
    const name = [...speaker.replace(/\s+/gu, " ").trim()].slice(0, longestName).join("").trim()
    if (name === "" || isUnnamed(name)) continue
    const known = first.get(name)
    if (known === undefined ? first.size < mostSpeakers : start < known) first.set(name, start)
  }
  return [...first].map(([name, start]) => ({ name, start }))
}
