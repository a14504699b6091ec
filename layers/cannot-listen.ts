import { Predicate } from "effect"
import { InvalidSetting } from "./config.ts"

/** Why a server cannot listen, as the setting to mend: the port's, or `HOST`. `cause` is what the system said. */
export const cannotListen = (
  setting: "PORT" | "LOCAL_IDENTITY_PORT",
  { host, port }: { readonly host: string; readonly port: number },
  cause: unknown
): InvalidSetting => {
  const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  if (code === "EADDRINUSE" || code === "EACCES") {
    const why = code === "EACCES" ? "is not ours to listen on" : "is another program's"
    return new InvalidSetting({
      setting,
      message: `${setting} must be a port that is free: ${port} on ${host} ${why}.`
    })
  }
  return new InvalidSetting({
    setting: "HOST",
    message: `HOST must be an address of this machine: ${host} cannot be listened on.`
  })
}
