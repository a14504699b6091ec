/**
 * The weight of a media type in `Accept`, up to 1: by its own name, else by its range, else by any (RFC 9110, section
 * 12.5.1).
 */
const quality = (accept: string, type: string): number => {
  const weights = new Map(
    accept.split(",").map((part) => {
      const [range = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
      const q = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "")
      const weight = q === undefined ? 1 : Number(q)
      return [range, Number.isNaN(weight) ? 0 : weight] as const
    })
  )
  return weights.get(type) ?? weights.get(`${type.split("/", 1)[0]}/*`) ?? weights.get("*/*") ?? 0
}

const names = (accept: string, type: string): boolean => accept.toLowerCase().includes(type)

export type PageForm = "html" | "markdown"

/**
 * The form of a page: Markdown for a caller that names it and wants it at least as much as HTML, else HTML. The user
 * agent is never considered.
 */
export const pageForm = (accept = "*/*"): PageForm => {
  const markdown = names(accept, "text/markdown") ? quality(accept, "text/markdown") : 0
  return markdown > 0 && markdown >= quality(accept, "text/html") ? "markdown" : "html"
}

/**
 * The form of an error at a page's address: a page only for a caller that prefers one to JSON. A caller that accepts
 * anything is a program, and gets the one error shape (spec section 7).
 */
export const errorForm = (accept = "*/*"): PageForm | "json" => {
  const form = pageForm(accept)
  const wanted = quality(accept, form === "html" ? "text/html" : "text/markdown")
  return wanted > quality(accept, "application/json") ? form : "json"
}
