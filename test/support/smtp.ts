import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import PostalMime, { type Email } from "postal-mime"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"

/** A mail as it arrived. */
interface Received {
  readonly from: string | undefined
  readonly to: ReadonlyArray<string>
  readonly raw: string
  readonly email: Email
}

/** A real SMTP server on a free port, which stores the mails it accepts. */
export const smtpServer = (options: SMTPServerOptions = {}) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly server: SMTPServer; readonly received: Array<Received>; readonly port: number }>(
      (resume) => {
        const received: Array<Received> = []
        const server = new SMTPServer({
          authOptional: true,
          disabledCommands: ["STARTTLS"],
          onData: async (stream, session, done) => {
            const parts: Array<Buffer> = []
            for await (const part of stream) parts.push(part)
            const raw = Buffer.concat(parts)
            received.push({
              from: session.envelope.mailFrom === false ? undefined : session.envelope.mailFrom.address,
              to: session.envelope.rcptTo.map(({ address }) => address),
              raw: raw.toString("latin1"),
              email: await PostalMime.parse(raw)
            })
            done()
          },
          ...options
        })
        server.on("error", () => undefined)
        server.listen(0, "127.0.0.1", () => {
          resume(Effect.succeed({ server, received, port: (server.server.address() as AddressInfo).port }))
        })
      }
    ),
    ({ server }) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
      })
  )
