/**
 * A speech server for a laptop: pocketsphinx (Debian: `pocketsphinx`, `pocketsphinx-en-us`) behind OpenAI's form of
 * `/v1/audio/transcriptions`. Run `node bench/pocketsphinx-server.ts [PORT]` with
 * SPEECH_MODEL_URL=http://127.0.0.1:PORT/v1. It recognizes little of real meetings, but its words come at the right
 * times, which is its purpose.
 */
import { execFile } from "node:child_process"
import * as fs from "node:fs"
import { createServer } from "node:http"
import * as os from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"

/** A word as `-time yes` prints it: word, start, end and confidence. Fillers are in <> or []. */
const timedWord = /^([a-z'][^\s(]*)(?:\(\d+\))? (\d+\.\d+) (\d+\.\d+) \d+\.\d+$/

const hear = async (sound: Uint8Array) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-hearing-"))
  try {
    const file = path.join(folder, "piece.wav")
    fs.writeFileSync(file, sound)
    const args = ["-infile", file, "-time", "yes", "-logfn", "/dev/null"]
    const { stdout } = await promisify(execFile)("pocketsphinx_continuous", args, { maxBuffer: 64 * 1024 ** 2 })
    return stdout.split("\n").flatMap((line) => {
      const [, word, start, end] = timedWord.exec(line) ?? []
      return word === undefined ? [] : [{ word, start: Number(start), end: Number(end) }]
    })
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

const server = createServer(async (request, response) => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  const headers = { "content-type": request.headers["content-type"] ?? "" }
  const form = await new Response(Buffer.concat(parts), { headers }).formData()
  const file = form.get("file")
  const words = file instanceof File ? await hear(new Uint8Array(await file.arrayBuffer())) : []
  const answer = {
    task: "transcribe",
    language: "en",
    text: words.map(({ word }) => word).join(" "),
    words,
    segments: []
  }
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
}).listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => console.log(server.address()))
