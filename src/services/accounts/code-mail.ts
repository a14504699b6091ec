import escapeHtml from "escape-html"
import type { Mail } from "../../../layers/mailer.ts"

/** The HTML form of a short mail. */
export const plainHtml = (paragraphs: ReadonlyArray<string>): string => `<!doctype html>
<html lang="en">
<body>
${paragraphs.join("\n")}
</body>
</html>
`

/**
 * The mail that brings a code; `use` follows "Your code to" and precedes the service's host. The subject has no code, for
 * subjects are shown on locked screens.
 */
export const codeMail = (
  { to, kind, subject, use }: Pick<Mail, "to" | "kind" | "subject"> & { readonly use: string },
  code: string,
  serviceUrl: string
): Mail => {
  const { host } = new URL(serviceUrl)
  const what = `Your code to ${use} at`
  const unasked =
    "If you did not ask for it, somebody typed in your address. You need do nothing; tell nobody the code."
  return {
    to,
    kind,
    subject,
    text: `${what} ${host} is

    ${code}

It is good for 10 minutes. ${unasked}
`,
    html: plainHtml([
      `<p>${what} ${escapeHtml(host)} is</p>`,
      `<p style="font-size:28px;letter-spacing:6px"><strong>${code}</strong></p>`,
      `<p>It is good for 10 minutes. ${unasked}</p>`
    ])
  }
}
