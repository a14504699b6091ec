import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

/** A caption with nothing but an officeholder's name, as when a clerk calls the roll. */
const called =
  /^(?:And )?((?:Vice Mayor|Councilman|Councilwoman|Commissioner) [A-Z][\w']+(?: [A-Z][\w']+){0,2})[.,?!]?$/
/** A caption with nothing but an answer to the roll. */
const answer = /^(?:I'm )?(?:here|present|aye|yes|no)[.,!]?(?: ma'am| sir)?[.]?$/i
/** A title that follows another, as in "Commissioner Vice Mayor". */
const isTitle = /(?:Mayor|Chair\w*|Director|Commissioner|Council\w+)$/

/**
 * The captions, with the names of those who answer a roll call. The real captions name no speakers, but the clerk does:
 * after "Commissioner Ada Marsh." the caption "Here." is hers. Names are as the recognizer heard them, and no word is
 * changed.
 */
const withVoices = (captions: string): string => {
  const cues = captions.split("\n\n")
  return cues
    .map((cue, at) => {
      const [time, ...lines] = cue.split("\n")
      const [, name = ""] = called.exec((cues[at - 1] ?? "").split("\n").slice(1).join(" ").trim()) ?? []
      const isAnswer = name !== "" && !isTitle.test(name) && answer.test(lines.join(" ").trim())
      return isAnswer ? `${time}\n<v ${name}>${lines.join("\n")}` : cue
    })
    .join("\n\n")
}

/** Unpacks an archive of captions into `folder`, adding the names of those who answer a roll call. */
export const unpackWithVoices = (archive: string, folder: string) => {
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true })
  execFileSync("tar", ["xzf", archive, "-C", folder])
  const captions = path.join(folder, "captions")
  for (const name of fs.readdirSync(captions)) {
    const file = path.join(captions, name)
    fs.writeFileSync(file, withVoices(fs.readFileSync(file, "utf8")))
  }
}
