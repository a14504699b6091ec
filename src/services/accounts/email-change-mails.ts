import escapeHtml from "escape-html"
import type { Mail } from "../../../layers/mailer.ts"
import { codeMail, plainHtml } from "./code-mail.ts"

/** Brings the code to the address that an account is to have. */
export const newAddressMail = (email: string, code: string, baseUrl: string): Mail =>
  codeMail(
    {
      to: email,
      kind: "email_change_code",
      subject: "Confirm your new e-mail address",
      use: "use this address with your Civic Record account"
    },
    code,
    baseUrl
  )

/** Tells the old address that it is one no more; not which one took its place, for its mailbox may be another's by now. */
export const changedMail = (email: string, baseUrl: string): Mail => {
  const { host } = new URL(baseUrl)
  const what = `The e-mail address of your Civic Record account at ${host} was changed. This one opens it no more.`
  const unasked = "If it was not you who changed it, write to those who run the service at once."
  return {
    to: email,
    kind: "email_changed",
    subject: "Your e-mail address was changed",
    text: `${what}\n\n${unasked}\n`,
    html: plainHtml([`<p>${escapeHtml(what)}</p>`, `<p>${unasked}</p>`])
  }
}
