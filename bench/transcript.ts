/**
 * Measures a transcript of 30,000 words, behind its gate, against the same bytes from a bare `node:http` server and
 * from nginx. Needs wrk, curl and nginx. Takes about two minutes.
 *
 *     node bench/transcript.ts
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { compare, startBare, startNginx, startService, stop } from "./served/peers.ts"

try {
  const service = await startService()
  const url = service.base + service.transcript
  for (const coding of ["identity", "br"]) {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-transcript-")), "transcript")
    const asked = { cookie: service.cookie, "accept-encoding": coding }
    execFileSync("curl", [
      "-sS",
      "-o",
      file,
      "-H",
      `cookie: ${service.cookie}`,
      "-H",
      `accept-encoding: ${coding}`,
      url
    ])
    const sent = { "content-type": "application/json", ...(coding === "br" ? { "content-encoding": "br" } : {}) }
    const bare = await startBare(file, sent)
    const nginx = await startNginx(file, sent)
    await compare(`transcript, ${coding}`, [
      { name: "service", url, headers: asked },
      { name: "bare node", url: bare.base, headers: asked },
      { name: "nginx", url: nginx, headers: asked }
    ])
    fs.rmSync(path.dirname(file), { recursive: true })
  }
} finally {
  await stop()
}
