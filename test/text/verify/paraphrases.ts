import * as fs from "node:fs"
import * as path from "node:path"
import { judge } from "../../../src/text/verify/rules.ts"
import type { Utterance } from "../../../src/text/verify/words.ts"
import { realTranscripts } from "../../support/real-transcripts.ts"

/** A sentence about a part of a real transcript, and whether it is true. */
export interface Sentence {
  readonly claim: string
  readonly isTrue: boolean
  readonly transcript: string
  readonly start: number
  readonly end: number
}

/** The sentences of a list, whose first line explains the marks. */
export const sentencesIn = (name: string): ReadonlyArray<Sentence> => {
  let cited = { transcript: "", start: 0, end: 0 }
  return fs
    .readFileSync(path.join(import.meta.dirname, name), "utf8")
    .split("\n")
    .flatMap((line) => {
      const [mark, ...words] = line.split(" ")
      const [transcript = "", start, end] = words
      if (mark === "@") cited = { transcript, start: Number(start), end: Number(end) }
      return mark === "+" || mark === "-" ? [{ ...cited, claim: words.join(" "), isTrue: mark === "+" }] : []
    })
}

/** The passages that each sentence of some lists cites, in order: the archives are unpacked once for all of them. */
export const citedBy = async (
  lists: ReadonlyArray<ReadonlyArray<Sentence>>
): Promise<ReadonlyArray<ReadonlyArray<ReadonlyArray<Utterance>>>> => {
  const wanted = new Set(lists.flat().map(({ transcript }) => transcript))
  const found = await realTranscripts((name) => wanted.has(name))
  return lists.map((sentences) =>
    sentences.map(({ transcript, start, end }) =>
      (found.get(transcript) ?? []).filter((line) => line.start < end && line.end > start)
    )
  )
}

/** The true or false sentences that code refutes, calls supported, or leaves open. */
export const confusion = (sentences: ReadonlyArray<Sentence>, cited: ReadonlyArray<ReadonlyArray<Utterance>>) => {
  const judged = sentences.map((sentence, at) => ({
    ...sentence,
    verdict: judge(sentence.claim, cited[at] ?? []).verdict
  }))
  const those = (isTrue: boolean, ...verdicts: ReadonlyArray<string>) =>
    judged.filter((one) => one.isTrue === isTrue && verdicts.includes(one.verdict)).map(({ claim }) => claim)
  return {
    trueRefuted: those(true, "contradicted", "unsupported"),
    trueOpen: those(true, "unknown"),
    falseRefuted: those(false, "contradicted", "unsupported"),
    falseOpen: those(false, "unknown"),
    falseSupported: those(false, "supported")
  }
}
