import { Predicate } from "effect"
import { InvalidSetting } from "../config/config.ts"

/** Why a server cannot listen, as an error in a setting: its port's or its host's. `cause` is the system's error. */
export const cannotListen = (
  setting: "PORT" | "OPERATOR_PORT" | "LOCAL_IDENTITY_PORT",
  { host, port }: { readonly host: string; readonly port: number },
  cause: unknown
): InvalidSetting => {
  const code = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  if (code === "EADDRINUSE" || code === "EACCES") {
    const why = code === "EACCES" ? "needs privileges that this user does not have" : "is in use by another program"
    return new InvalidSetting({
      setting,
      message: `${setting} must be a free port: ${port} on ${host} ${why}.`
    })
  }
  const hostSetting = setting === "OPERATOR_PORT" ? "OPERATOR_HOST" : "HOST"
  return new InvalidSetting({
    setting: hostSetting,
    message: `${hostSetting} must be an address of this machine: nothing can listen on ${host}.`
  })
}
