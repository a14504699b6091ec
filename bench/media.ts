/**
 * Measures 1 MB ranges of a recording, behind a signature, against the same bytes from nginx and from a bare
 * `node:http` server. Needs wrk, curl and nginx. Takes about a minute.
 *
 *     node bench/media.ts
 */
import { compare, startBare, startNginx, startService, stop } from "./served/peers.ts"

try {
  const service = await startService()
  const bare = await startBare(service.file, { "content-type": "video/mp4" })
  const nginx = await startNginx(service.file, { "content-type": "video/mp4" })
  const headers = { range: "bytes=8388608-9437183" }
  await compare("ranges of 1 MB", [
    { name: "service", url: service.base + service.media, headers },
    { name: "nginx", url: nginx, headers },
    { name: "bare node", url: bare.base, headers }
  ])
} finally {
  await stop()
}
