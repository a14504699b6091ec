import escapeHtml from "escape-html"
import type { Mail } from "../../layers/mailer.ts"

const document = (paragraphs: ReadonlyArray<string>): string => `<!doctype html>
<html lang="en">
<body>
${paragraphs.join("\n")}
</body>
</html>
`

/** Brings the code to the address that an account is to have. The subject has none, for subjects show on locked screens. */
export const codeMail = (email: string, code: string, baseUrl: string): Mail => {
  const { host } = new URL(baseUrl)
  const unasked =
    "If you did not ask for it, somebody typed in your address. You need do nothing; tell nobody the code."
  return {
    to: email,
    kind: "email_change_code",
    subject: "Confirm your new e-mail address",
    text: `Your code to use this address with your Civic Record account at ${host} is

    ${code}

It is good for 10 minutes. ${unasked}
`,
    html: document([
      `<p>Your code to use this address with your Civic Record account at ${escapeHtml(host)} is</p>`,
      `<p style="font-size:28px;letter-spacing:6px"><strong>${code}</strong></p>`,
      `<p>It is good for 10 minutes. ${unasked}</p>`
    ])
  }
}

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
    html: document([`<p>${escapeHtml(what)}</p>`, `<p>${unasked}</p>`])
  }
}
