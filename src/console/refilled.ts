import type { Refusal } from "../failures/words.ts"
import { type El, el, type Kid } from "../page-tree/tree.ts"
import type { ConsolePage } from "./page.ts"

/** The fields of a form with what was typed. What is hidden belongs to the page. */
const typed = (kid: Kid, given: URLSearchParams): Kid => {
  if (typeof kid === "string" || kid === undefined || kid === false) return kid
  if (!("tag" in kid)) return kid.map((one) => typed(one, given))
  const { tag, attributes } = kid
  const value = given.get(String(attributes.name))
  if (tag === "input" && attributes.type === "text" && value !== null) {
    return { ...kid, attributes: { ...attributes, value } }
  }
  if (tag === "select" && value !== null) return { ...kid, kids: kid.kids.map((one) => chosen(one, value)) }
  return { ...kid, kids: kid.kids.map((one) => typed(one, given)) }
}

const chosen = (kid: Kid, value: string): Kid => {
  if (typeof kid === "string" || kid === undefined || kid === false) return kid
  if (!("tag" in kid)) return kid.map((one) => chosen(one, value))
  return { ...kid, attributes: { ...kid.attributes, selected: kid.attributes.value === value } }
}

/** Whether an element is the form, with fields to fill in, that is sent to a path. */
const isForm = ({ tag, attributes }: El, path: string): boolean =>
  tag === "form" && attributes.method === "post" && attributes.action === path && attributes.class === "fields"

/**
 * A page with its form to `path` as somebody filled it in, below the reason for which it was refused; undefined if the
 * page has no such form. A refusal that can be overruled brings a button for that, which sends `anyway`.
 */
export const refilled = (
  page: ConsolePage,
  path: string,
  given: URLSearchParams,
  { status, message, anyway }: Refusal
): ConsolePage | undefined => {
  let found = false
  const inPage = (kid: Kid): Kid => {
    if (typeof kid === "string" || kid === undefined || kid === false) return kid
    if (!("tag" in kid)) return kid.map(inPage)
    if (!isForm(kid, path)) return { ...kid, kids: kid.kids.map(inPage) }
    found = true
    return {
      ...kid,
      kids: [
        el("p", { class: "told", role: "alert" }, message),
        ...kid.kids.map((one) => typed(one, given)),
        anyway !== undefined && el("button", { type: "submit", class: "plain", name: "anyway", value: "yes" }, anyway)
      ]
    }
  }
  const main = inPage(page.main)
  // The page is there: what was not found is something that was typed.
  return found ? { ...page, status: status === 404 ? 422 : status, title: `${page.title}: not saved`, main } : undefined
}
