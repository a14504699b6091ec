import type { Cue, Cues } from "./cue.ts"

export const isScc = (text: string): boolean => /^\s*Scenarist_SCC V1\.0/i.test(text)

/** Characters of CEA-608 that differ from ASCII, and those of its second table (0x30 to 0x3f). */
const basic: Readonly<Record<number, string>> = {
  ...{ 42: "á", 92: "é", 94: "í", 95: "ó", 96: "ú", 123: "ç", 124: "÷", 125: "Ñ", 126: "ñ", 127: "█" }
}
const special = [..."®°½¿™¢£♪à èâêîôû"]

/** The frames of a second of American television, and how long a second of its timecode that drops none lasts. */
const frames = 30_000 / 1001
const undropped = 1.001

/** How long a caption stands that nothing takes away. */
const longestStay = 10

const line = /^(\d{2}):(\d{2}):(\d{2})([:;.,])(\d{2})\s+((?:[0-9a-f]{4}\s*)+)$/i

/**
 * The cues of a Scenarist file, whose bytes are those of a line of American television (CEA-608): captions that pop on
 * are shown by one command and taken away by another; those that roll up are said line by line.
 */
export const sccCues = (text: string): Cues => {
  const cues: Array<Cue> = []
  let unreadable = 0
  let isRolling = false
  let loading = ""
  let shown: { readonly start: number; readonly text: string } | undefined
  let begun: number | undefined
  const clear = (now: number) => {
    if (shown !== undefined && shown.text.trim() !== "") {
      cues.push({ start: shown.start, end: Math.min(now, shown.start + longestStay), text: shown.text })
    }
    shown = undefined
  }
  const rollOn = (now: number) => {
    if (isRolling && loading.trim() !== "") {
      shown = { start: begun ?? now, text: loading }
      clear(Math.max(now, (begun ?? now) + 1))
    }
    loading = ""
    begun = undefined
  }
  const command = (second: number, now: number) => {
    if (second === 0x20) isRolling = false
    if (second >= 0x25 && second <= 0x27) {
      if (!isRolling) clear(now)
      isRolling = true
    }
    if (second === 0x21) loading = loading.slice(0, -1)
    if (second === 0x2d) rollOn(now)
    if (second === 0x2e) loading = ""
    if (second === 0x2c) {
      rollOn(now)
      clear(now)
    }
    if (second === 0x2f) {
      clear(now)
      shown = { start: now, text: loading }
      loading = ""
    }
  }
  let now = 0
  for (const row of text.split(/\r?\n/).slice(1)) {
    if (row.trim() === "") continue
    const [, hours, minutes, seconds, mark, frame, bytes = ""] = line.exec(row.trim()) ?? []
    if (frame === undefined) {
      unreadable++
      continue
    }
    const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    now = (mark === ":" ? whole * undropped : whole) + Number(frame) / frames
    let before = ""
    for (const [at, pair] of bytes.trim().split(/\s+/).entries()) {
      const instant = now + at / frames
      // Each byte has a bit of parity.
      const [first, second] = [Number.parseInt(pair.slice(0, 2), 16) & 0x7f, Number.parseInt(pair.slice(2), 16) & 0x7f]
      const isControl = first >= 0x10 && first < 0x20
      // Commands are sent twice, so that one may be lost.
      const isAgain = isControl && pair === before
      before = isAgain ? "" : pair
      if (isAgain) continue
      if (!isControl) {
        const said = [first, second]
          .map((code) => (code < 0x20 ? "" : (basic[code] ?? String.fromCharCode(code))))
          .join("")
        if (said !== "") begun ??= instant
        loading += said
      } else if ((first === 0x14 || first === 0x1c) && second >= 0x20 && second < 0x30) command(second, instant)
      else if ((first === 0x11 || first === 0x19) && second >= 0x30 && second < 0x40)
        loading += special[second - 0x30] ?? ""
      // A place on the screen, or a color: a new line or a gap.
      else if (second >= 0x40 || ((first & 0x77) === 0x11 && second < 0x30)) loading += " "
    }
  }
  rollOn(now + 1)
  clear(now + longestStay)
  return { cues, unreadable }
}
