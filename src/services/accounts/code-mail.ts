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
 * The mail that carries a code; `use` follows "Your code to" and precedes the service's host. The subject does not
 * contain the code, because lock screens show subjects.
 */
export const codeMail = (
  { to, kind, subject, use }: Pick<Mail, "to" | "kind" | "subject"> & { readonly use: string },
  code: string,
  serviceUrl: string
): Mail => {
  const { host } = new URL(serviceUrl)
  const what = `Your code to ${use} at`
  const unasked =
    "If you did not request it, someone else entered your address. You need not do anything, but do not share the code."
  return {
    to,
    kind,
    subject,
    text: `${what} ${host} is

    ${code}

It is valid for 10 minutes. ${unasked}
`,
    html: plainHtml([
      `<p>${what} ${escapeHtml(host)} is</p>`,
      `<p style="font-size:28px;letter-spacing:6px"><strong>${code}</strong></p>`,
      `<p>It is valid for 10 minutes. ${unasked}</p>`
    ])
  }
}
