import escapeHtml from "escape-html"
import { deeper, type El, type Kid, type Tag } from "./tree.ts"

/** Elements without an end tag (HTML, section 13.1.2). */
const empty: ReadonlySet<Tag> = new Set(["br", "hr", "img", "input", "track"])

/**
 * `aria-*` says "true" or "false"; other attributes that are true have no value, and those that are false are left out.
 */
const attributeOf = (name: string, value: string | number | boolean): string => {
  if (typeof value !== "boolean" || name.startsWith("aria-")) return ` ${name}="${escapeHtml(String(value))}"`
  return value ? ` ${name}` : ""
}

const attributesOf = ({ attributes }: El): string => {
  let text = ""
  for (const name in attributes) {
    const value = attributes[name]
    if (value !== undefined && name !== "inline") text += attributeOf(name, value)
  }
  return text
}

/** HTML of a tree. Every string is escaped. `depth` is the level of a heading that stands in no section. */
export const htmlOf = (kid: Kid, depth = 1): string => {
  if (typeof kid === "string") return escapeHtml(kid)
  if (kid === undefined || kid === false) return ""
  if (!("tag" in kid)) {
    let text = ""
    for (const one of kid) text += htmlOf(one, depth)
    return text
  }
  if (kid.tag === "prose") return ""
  if (kid.tag === "web") return htmlOf(kid.kids, depth)
  const name = kid.tag === "heading" ? `h${Math.min(depth, 6)}` : kid.tag
  const open = `<${name}${attributesOf(kid)}>`
  return empty.has(kid.tag) ? open : `${open}${htmlOf(kid.kids, deeper.has(kid.tag) ? depth + 1 : depth)}</${name}>`
}
