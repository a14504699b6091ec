import * as fs from "node:fs"
import { Effect, Option } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { aboutFfmpeg, aboutFfprobe } from "../../../layers/renderer/tools.ts"
import { keptKeys, parseSigningKeys } from "../../../layers/signer/keys.ts"
import { tesseract } from "../../pipeline/reading/recognize.ts"
import { check, fail, ok, warn } from "./finding.ts"

/** The oldest release line that is supported. */
const oldestNode = 24

const node = Effect.sync(() => {
  const found = `Node ${process.versions.node}`
  return Number(process.versions.node.split(".")[0]) >= oldestNode
    ? ok(found)
    : fail(found, `Use Node ${oldestNode} or newer: npm scripts use the project's own.`)
})

/** Free space, in gigabytes, below which the service will stop soon, and below which somebody should look. */
const room = { least: 2, low: 10 }

const disk = Effect.map(Environment, ({ dataDir }) => {
  const free = fs.statfsSync(fs.existsSync(dataDir) ? dataDir : ".")
  const gigabytes = Math.floor((free.bavail * free.bsize) / 1e9)
  const found = `${gigabytes} GB are free for ${dataDir}`
  if (gigabytes < room.least) return fail(found, "Make room: the database stops when its disk is full.")
  return gigabytes < room.low ? warn(found, "Make room before an import or a backup.") : ok(found)
})

const ffmpeg = Effect.map(aboutFfmpeg, ({ state, text }) => {
  if (state === "fine") return ok(text)
  return state === "old"
    ? warn(text, "Install the system's ffmpeg where recordings come from others.")
    : fail(text, "Clips cannot be rendered until ffmpeg and ffprobe are there.")
})

const ffprobe = Effect.map(aboutFfprobe, (found) =>
  found === undefined ? fail("there is none", "Install ffmpeg, or set FFPROBE_PATH.") : ok(found)
)

const recognition = Effect.map(tesseract, (found) =>
  found === undefined
    ? warn("there is none", "Install tesseract, if pages of documents that are pictures are to be read.")
    : ok(found)
)

const signingKeys = Effect.gen(function* () {
  const { signingKeys, dataDir } = yield* Environment
  const { previous } = yield* parseSigningKeys(
    Option.isSome(signingKeys) ? signingKeys.value : yield* keptKeys(dataDir)
  )
  const origin = Option.isSome(signingKeys) ? "SIGNING_KEYS" : `generated, in ${dataDir}`
  return ok(`one key signs (${origin}), and ${previous.length} older ones are still accepted`)
}).pipe(Effect.catchTag("InvalidSetting", ({ message }) => Effect.succeed(fail("cannot be used", message))))

/** Checks of this machine. */
export const machineChecks = [
  check("node", node),
  check("disk", disk),
  check("ffmpeg", ffmpeg),
  check("ffprobe", ffprobe),
  check("tesseract", recognition),
  check("signing keys", signingKeys)
]
