/** A cue of a caption file; its times in seconds. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly speaker?: string | undefined
}

/** The cues of a file, and how many could not be read. */
export interface Cues {
  readonly cues: ReadonlyArray<Cue>
  readonly unreadable: number
}

/** The seconds of `[H:]MM:SS[.fff]`, with a point or a comma; NaN for anything else. */
export const clockSeconds = (text: string): number => {
  const [, hours = "0", minutes = "", seconds = ""] =
    /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,9})?)$/.exec(text.trim()) ?? []
  return minutes === "" ? Number.NaN : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."))
}
