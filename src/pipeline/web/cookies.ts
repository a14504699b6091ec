/** The most cookies of one host, and the longest, that are kept: more is no session of a calendar. */
const mostCookies = 30
const longestCookie = 4096

/** The cookies that servers set during one reading. Each goes back to the very host that set it, and to no other. */
export interface Cookies {
  /** The header `Cookie` for a host; undefined if it has set none. */
  readonly of: (host: string) => string | undefined
  readonly take: (host: string, setCookies: ReadonlyArray<string>) => void
}

/** Whether attributes of a `Set-Cookie` take the cookie back (RFC 6265, section 5.2). */
const isOver = (attributes: string): boolean => {
  const age = /;\s*max-age=(-?\d+)/i.exec(attributes)?.[1]
  if (age !== undefined) return Number(age) <= 0
  const expires = /;\s*expires=([^;]+)/i.exec(attributes)?.[1]
  // Only a date long past says so; a server's clock may be wrong.
  return expires !== undefined && Date.parse(expires) < Date.parse("2000-01-01")
}

/** An empty jar, for one reading. */
export const freshCookies = (): Cookies => {
  const hosts = new Map<string, Map<string, string>>()
  return {
    of: (host) => {
      const jar = hosts.get(host)
      return jar === undefined || jar.size === 0
        ? undefined
        : [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    },
    take: (host, setCookies) => {
      const jar = hosts.get(host) ?? new Map<string, string>()
      hosts.set(host, jar)
      for (const cookie of setCookies) {
        const [, name = "", value = "", attributes = ""] = /^\s*([^=;\s]+)=([^;\r\n]*)(.*)$/s.exec(cookie) ?? []
        if (name === "" || cookie.length > longestCookie) continue
        if (isOver(attributes)) jar.delete(name)
        else if (jar.has(name) || jar.size < mostCookies) jar.set(name, value.trim())
      }
    }
  }
}
