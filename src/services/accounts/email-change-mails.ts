import escapeHtml from "escape-html"
import type { Mail } from "../../../layers/mailer.ts"
import { codeMail, plainHtml } from "./code-mail.ts"

/** Carries the code to the new address of an account. */
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

/** Tells the old address about the change, without naming the new one: the old mailbox may be someone else's by now. */
export const changedMail = (email: string, baseUrl: string): Mail => {
  const { host } = new URL(baseUrl)
  const what = `The e-mail address of your Civic Record account at ${host} has been changed. This address no longer signs in to it.`
  const unasked = "If you did not change it, contact the people who run the service right away."
  return {
    to: email,
    kind: "email_changed",
    subject: "Your e-mail address was changed",
    text: `${what}\n\n${unasked}\n`,
    html: plainHtml([`<p>${escapeHtml(what)}</p>`, `<p>${unasked}</p>`])
  }
}
