import * as net from "node:net"
import { Effect } from "effect"

/** A connection to a server that can be cut and restored, on one port, and led to another server of the same host. */
export const wayTo = Effect.fnUntraced(function* (host: string, target: number) {
  let to = target
  let isSilent = false
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    if (isSilent) return void sockets.add(socket.pause().on("error", () => undefined))
    const onward = net.connect(to, host)
    for (const [from, into] of [
      [socket, onward],
      [onward, socket]
    ] as const) {
      sockets.add(from)
      from.pipe(into)
      from.on("error", () => into.destroy())
      from.on("close", () => sockets.delete(from))
    }
  })
  const listen = (port: number) =>
    Effect.callback<number>((resume) => {
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    })
  const cut = Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    for (const socket of sockets) socket.destroy()
  })
  const port = yield* Effect.acquireRelease(listen(0), () => cut)
  const leadTo = (target: number) =>
    Effect.sync(() => {
      to = target
    })
  /** From now on nothing arrives, and nothing is closed either: a machine that is gone. */
  const hush = Effect.sync(() => {
    isSilent = true
    for (const socket of sockets) socket.unpipe().pause()
  })
  return { port, cut, open: listen(port), leadTo, hush }
})

/** Fails while nobody listens there. */
export const reachable = (host: string, port: number) =>
  Effect.tryPromise(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = net.connect(port, host, () => {
          socket.destroy()
          resolve()
        })
        socket.on("error", reject)
      })
  )
