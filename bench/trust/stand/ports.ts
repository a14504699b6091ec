import * as net from "node:net"
import { Effect } from "effect"

const one = () =>
  new Promise<readonly [port: number, close: () => Promise<void>]>((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" ? (address?.port ?? 0) : 0
      resolve([port, () => new Promise((closed) => server.close(() => closed()))])
    })
  })

/** Ports of loopback that nobody listens on, all of them different. */
export const freePorts = <const Names extends ReadonlyArray<string>>(names: Names) =>
  Effect.promise(async () => {
    const taken = await Promise.all(names.map(one))
    await Promise.all(taken.map(([, close]) => close()))
    return Object.fromEntries(names.map((name, at) => [name, taken[at]?.[0] ?? 0])) as Record<Names[number], number>
  })

/** Whether somebody listens there. */
export const listens = (port: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const socket = net.connect(port, "127.0.0.1")
    const say = (is: boolean) => () => {
      socket.destroy()
      resume(Effect.succeed(is))
    }
    socket.once("connect", say(true))
    socket.once("error", say(false))
  })
