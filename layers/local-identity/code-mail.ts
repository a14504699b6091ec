import escapeHtml from "escape-html"
import type { Mail } from "../mailer.ts"

/** The mail that brings a sign-in code. The subject has none, for subjects are shown on locked screens. */
export const codeMail = (email: string, code: string, serviceUrl: string): Mail => {
  const { host } = new URL(serviceUrl)
  const unasked =
    "If you did not ask for it, somebody typed in your address. You need do nothing; tell nobody the code."
  return {
    to: email,
    kind: "sign_in_code",
    subject: "Your Civic Record sign-in code",
    text: `Your code to sign in to Civic Record at ${host} is

    ${code}

It is good for 10 minutes. ${unasked}
`,
    html: `<!doctype html>
<html lang="en">
<body>
<p>Your code to sign in to Civic Record at ${escapeHtml(host)} is</p>
<p style="font-size:28px;letter-spacing:6px"><strong>${code}</strong></p>
<p>It is good for 10 minutes. ${unasked}</p>
</body>
</html>
`
  }
}
