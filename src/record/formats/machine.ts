const automatic = /\bauto(?:matic(?:ally)?)?[-_ ]?(?:generated|captions?)/i

/** Whether a file's name says that a recognizer wrote the transcript: `talk.auto.vtt`, `gsr.json`. */
export const isMachineFile = (name: string): boolean =>
  /(?:^|\.)(?:auto|machine|raw|whisperx?)\.|(?:^|[._-])(?:asr|gsr)\./i.test(name) || automatic.test(name)

/** Whether the name of a generator, or a note, is about a recognizer: "Google Speech-to-Text". */
export const isMachine = (text: string): boolean =>
  automatic.test(text) || /\b(?:whisperx?|asr|vosk|deepgram|recogni[sz]er)\b|speech[- ]?to[- ]?text/i.test(text)

/** Timestamps of single words inside a cue, which only recognizers write: `<00:00:01.480><c> evening</c>`. */
const wordTimes = /<\d{1,2}:\d{2}(?::\d{2})?[.,]\d{3}>\s*<c\b/

/** The text of a caption file before its first cue and in its notes. */
const remarks = (text: string): string =>
  text
    // Most files have no notes, and need not be split into blocks.
    .split(/\r?\n(?:[^\S\n]*\r?\n)+/, text.includes("\nNOTE") ? undefined : 1)
    .filter((block, at) => !block.includes("-->") && (at === 0 || /^NOTE\b/.test(block)))
    .join("\n")

/** Whether a recognizer wrote the captions of a file, as far as the file shows. */
export const areMachineCaptions = (text: string, name: string): boolean =>
  isMachineFile(name) || wordTimes.test(text) || isMachine(remarks(text))
