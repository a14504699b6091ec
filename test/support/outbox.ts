import * as fs from "node:fs"
import * as path from "node:path"
import PostalMime, { type Email } from "postal-mime"

/** The mails in an outbox, the oldest first. */
export const readOutbox = (folder: string): Promise<ReadonlyArray<Email>> =>
  Promise.all(
    (fs.existsSync(folder) ? fs.readdirSync(folder) : [])
      .filter((name) => name.endsWith(".eml"))
      .sort()
      .map((name) => PostalMime.parse(fs.readFileSync(path.join(folder, name))))
  )

/** The newest six digits that were mailed to an address, whose domain the mail library writes in lower case. */
export const newestCode = async (folder: string, email: string): Promise<string> => {
  const mails = await readOutbox(folder)
  const recipient = email.replace(/@.*$/u, (domain) => domain.toLowerCase())
  const code = mails
    .filter((mail) => mail.to?.some(({ address }) => address === recipient))
    .map((mail) => /^\s*(\d{6})\s*$/m.exec(mail.text ?? "")?.[1])
    .at(-1)
  if (code === undefined) throw new Error(`No code was mailed to ${email}`)
  return code
}
