/** What opens an address: the user and password before its host, and secret parameters of its query. */
export interface Credentials {
  /** `user:password`, decoded. */
  readonly user?: string
  readonly parameters: ReadonlyArray<readonly [name: string, value: string]>
}

const secretName =
  /^(?:token|(?:api|access|auth|app|private|secret|subscription)[-_]?(?:key|token)|secret|password|passwd|pwd|pass|sig|signature)$/i

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** An http or https address without its credentials, and those, if it has any. */
export const splitAddress = (text: string): { readonly url: string; readonly credentials?: Credentials } => {
  const url = URL.parse(text)
  if (url === null) return { url: text }
  const user =
    url.username === "" && url.password === "" ? undefined : [url.username, url.password].map(decoded).join(":")
  const parameters = [...url.searchParams].filter(([name, value]) => secretName.test(name) && value !== "")
  if (user === undefined && parameters.length === 0) return { url: text }
  url.username = ""
  url.password = ""
  for (const [name] of parameters) url.searchParams.delete(name)
  return { url: url.href, credentials: { ...(user === undefined ? {} : { user }), parameters } }
}

/**
 * How an address is asked for with the credentials of a source: unchanged, unless it has the origin of the source's own
 * address. `authorization` is the header of RFC 7617.
 */
export const withCredentials = (
  address: string,
  source: { readonly url: string; readonly credentials?: Credentials | null | undefined }
): { readonly address: string; readonly authorization?: string } => {
  const [url, own] = [URL.parse(address), URL.parse(source.url)]
  const { credentials } = source
  if (credentials === undefined || credentials === null || url === null || url.origin !== own?.origin)
    return { address }
  for (const [name, value] of credentials.parameters) url.searchParams.set(name, value)
  const { user } = credentials
  return {
    address: url.href,
    ...(user === undefined ? {} : { authorization: `Basic ${Buffer.from(user).toString("base64")}` })
  }
}

/** An address with the credentials of another that was typed, if both have the same origin. */
export const withTypedCredentials = (address: string, typed: string): string => {
  const { url, credentials } = splitAddress(typed)
  const whole = URL.parse(withCredentials(address, { url, credentials }).address)
  if (whole === null || credentials?.user === undefined || whole.origin !== URL.parse(url)?.origin) {
    return whole?.href ?? address
  }
  const [user = "", ...password] = credentials.user.split(":")
  whole.username = encodeURIComponent(user)
  whole.password = encodeURIComponent(password.join(":"))
  return whole.href
}
