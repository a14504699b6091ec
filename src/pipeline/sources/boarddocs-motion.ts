import { tidy } from "../../record/formats/text.ts"
import { type Motion, motionOf, namesIn, sideIn } from "./motion.ts"

/**
 * A motion as BoardDocs prints it, a line for each part: the motion, "Motion by X, second by Y.", "Final Resolution:
 * Motion Carries", and the names behind "Yes:", "No:" and the like.
 */
export const motionIn = (text: string): Motion => {
  const lines = text.split("\n").map(tidy)
  const wording = lines
    .slice(
      0,
      lines.findIndex((line) => /^(?:motion by|final resolution:)/i.test(line))
    )
    .filter((line) => line !== "" && sideIn(line) === undefined)
    .join(" ")
    .replace(/^motion(?: & voting)?\s*:?\s+(?=\S)/i, "")
  const by = lines.map((line) => /^motion by (.+?)(?:, second(?:ed)? by (.+?))?\.?$/i.exec(line)).find(Boolean)
  const [, resolution = ""] = lines.map((line) => /^final resolution:\s*(.+)$/i.exec(line)).find(Boolean) ?? []
  const [mover, seconder] = [namesIn(by?.[1] ?? "")[0], namesIn(by?.[2] ?? "")[0]]
  return motionOf({
    wording,
    resolution,
    mover,
    seconder,
    sides: lines.map(sideIn).filter((side) => side !== undefined)
  })
}
