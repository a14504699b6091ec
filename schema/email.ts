import { domainToASCII, domainToUnicode } from "node:url"
import { Schema } from "effect"

/**
 * Lowercases the capital letters of ASCII only; other letters that have a case, such as İ or the Kelvin sign, stay
 * unchanged.
 */
const asciiLower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/**
 * At least two labels of letters, digits and hyphens; the last begins with a letter, so this is never an IPv4 address.
 */
const hostName = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/**
 * A domain as DNS knows it (IDNA, UTS 46), or undefined for one that no mail could be for. A domain has to be written
 * as IDNA itself writes it, in ASCII or in its own script; only the case of A to Z is free. UTS 46 would also read `ſ`
 * as s, the Kelvin sign as k and `%61` as a, and a mail server need not: what the account is known by and where its
 * mail goes could then be two domains.
 */
const asciiDomain = (domain: string): string | undefined => {
  const written = asciiLower(domain)
  const ascii = domainToASCII(written)
  return hostName.test(ascii) && [ascii, domainToUnicode(ascii)].includes(written) ? ascii : undefined
}

/** The domain follows the last @: an address has one. */
const parts = (address: string): readonly [local: string, domain: string] => {
  const at = address.lastIndexOf("@")
  return [address.slice(0, at), address.slice(at + 1)]
}

/**
 * One mailbox as it may be written to: no list, no comment, no quoted name, a domain with a dot (RFC 5321, section
 * 4.1.2), and that domain in its one spelling.
 */
export const Email = Schema.String.check(
  Schema.isMinLength(1),
  Schema.isMaxLength(254),
  Schema.isPattern(/^[^\s@<>()[\]\\,;:"]{1,64}@([^\s@<>()[\]\\,;:".]+\.)+[^\s@<>()[\]\\,;:".]+$/u, {
    message: "must be an e-mail address"
  }),
  Schema.makeFilter((value) => !/[\p{Cc}\p{Cf}]/u.test(value) || "must be an e-mail address"),
  Schema.makeFilter(
    (value) =>
      asciiDomain(parts(value)[1]) !== undefined ||
      "must be an e-mail address whose domain is written in its usual form, such as name@example.org"
  )
)
  .pipe(Schema.brand("Email"))
  .annotate({ examples: ["reader@example.org" as never] })
export type Email = typeof Email.Type

const EmailKey = Schema.String.pipe(Schema.brand("EmailKey"))
export type EmailKey = typeof EmailKey.Type

/**
 * The key that identifies a mailbox: two addresses are one mailbox exactly when their keys are equal. The domain is as
 * DNS has it; in the local part the letters A to Z are lowercased, and nothing else is folded: no Unicode case, no
 * normalization, no locale. Addresses are stored, compared, looked up and counted by their key, and shown and written
 * to as they were given.
 */
export const emailKey = (email: Email): EmailKey => {
  const [local, domain] = parts(email)
  return EmailKey.make(`${asciiLower(local)}@${domainToASCII(domain)}`)
}
