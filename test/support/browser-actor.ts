/** The page that a browser shows after a request, or the address at which it was stopped. */
export interface Page {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly html: string
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly host: string
  readonly path: string
}

const unescaped = (text: string): string =>
  text.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name) => ({ lt: "<", gt: ">", quot: '"', "#39": "'" })[String(name)] ?? "&"
  )

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return found === undefined ? undefined : unescaped(found)
}

/**
 * A person at a browser without scripts: stores cookies by host and path as RFC 6265 says (a port makes no difference),
 * follows redirects one by one, and posts the forms of pages. It does not request addresses that begin with `stopAt`,
 * but reports them instead.
 */
export class BrowserActor {
  readonly #cookies = new Map<string, Cookie>()
  readonly #stopAt: string | undefined

  constructor(stopAt?: string) {
    this.#stopAt = stopAt
  }

  /** Opens a page as from the address bar. */
  open(url: string | URL): Promise<Page> {
    return this.#follow(new URL(url), { method: "GET" })
  }

  /** Follows the link with this text. */
  follow(page: Page, text: string): Promise<Page> {
    const link = [...page.html.matchAll(/<a\s[^>]*>([^<]*)<\/a>/g)].find(([, words]) => unescaped(words ?? "") === text)
    if (link === undefined) throw new Error(`No link "${text}" at ${page.url.pathname}`)
    return this.open(new URL(attribute(link[0], "href") ?? "", page.url))
  }

  /** Fills in the form that has this button and presses it; a field that the form lacks is an error. */
  submit(
    page: Page,
    button: string,
    fields: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {}
  ): Promise<Page> {
    const form = [...page.html.matchAll(/<form\s[^>]*>[\s\S]*?<\/form>/g)]
      .map(([html]) => html)
      .find((html) =>
        [...html.matchAll(/<button[^>]*>([^<]*)</g)].some(([, words]) => unescaped(words ?? "") === button)
      )
    if (form === undefined) throw new Error(`No button "${button}" at ${page.url.pathname}:\n${page.html}`)
    const body = new URLSearchParams()
    for (const [input] of form.matchAll(/<input[^>]*>/g)) {
      const name = attribute(input, "name")
      if (name !== undefined) body.append(name, attribute(input, "value") ?? "")
    }
    for (const [name, value] of Object.entries(fields)) {
      if (!body.has(name)) throw new Error(`No field "${name}" beside "${button}"`)
      body.set(name, value)
    }
    return this.#follow(new URL(attribute(form, "action") ?? "", page.url), {
      method: "POST",
      body,
      headers: { origin: page.url.origin, "sec-fetch-site": "same-origin", ...headers }
    })
  }

  /** The cookies that a request to an address carries, by name. */
  cookiesFor(url: string | URL): Readonly<Record<string, string>> {
    const { hostname, pathname } = new URL(url)
    return Object.fromEntries(
      [...this.#cookies.values()]
        .filter(
          ({ host, path }) =>
            host === hostname && (path === pathname || pathname.startsWith(path.endsWith("/") ? path : `${path}/`))
        )
        .map(({ name, value }) => [name, value])
    )
  }

  async #follow(url: URL, init: RequestInit): Promise<Page> {
    for (let [at, asked, left] = [url, init, 12]; left > 0; left -= 1) {
      if (this.#stopAt !== undefined && at.href.startsWith(this.#stopAt)) {
        return { url: at, status: 0, headers: new Headers(), html: "" }
      }
      const cookie = Object.entries(this.cookiesFor(at))
        .map(([name, value]) => `${name}=${value}`)
        .join("; ")
      const response = await fetch(at, {
        ...asked,
        redirect: "manual",
        headers: { accept: "text/html", ...(cookie === "" ? {} : { cookie }), ...asked.headers }
      })
      for (const line of response.headers.getSetCookie()) this.#keep(at, line)
      const html = await response.text()
      const location = response.headers.get("location")
      if (location === null || response.status < 300 || response.status > 399) {
        return { url: at, status: response.status, headers: response.headers, html }
      }
      at = new URL(location, at)
      asked = { method: "GET" }
    }
    throw new Error(`Redirected for ever from ${url.href}`)
  }

  #keep(at: URL, line: string) {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim())
    const said = new Map(
      attributes.map((part) => {
        const [name = "", value = ""] = part.split(/=(.*)/s)
        return [name.toLowerCase(), value] as const
      })
    )
    const [name = "", value = ""] = pair.split(/=(.*)/s)
    const path = said.get("path") ?? (at.pathname.replace(/\/[^/]*$/, "") || "/")
    const key = `${at.hostname} ${path} ${name}`
    const isOver = said.get("max-age") === "0" || Date.parse(said.get("expires") ?? "9999-01-01") <= Date.now()
    if (isOver) this.#cookies.delete(key)
    else this.#cookies.set(key, { name, value, host: at.hostname, path })
  }
}
