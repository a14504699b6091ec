import * as net from "node:net"
import { Effect } from "effect"

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
