import { el, type Kid, prose, web } from "../../page-tree/tree.ts"
import type { Visit } from "./task.ts"

/** A form of the account. The server reports its wrong fields (`novalidate`), so that every browser shows the same. */
export const form = (action: string, button: string, ...kids: ReadonlyArray<Kid>): Kid =>
  web(
    el(
      "form",
      { method: "post", action, novalidate: true, class: "task" },
      kids,
      el("button", { type: "submit" }, button)
    )
  )

/** A button for one action, with the values it sends. */
export const act = (
  action: string,
  button: string,
  values: Readonly<Record<string, string>>,
  /** The object of the button, for pages on which several read the same. */
  about?: string
): Kid =>
  web(
    el(
      "form",
      { method: "post", action, class: "single" },
      Object.entries(values).map(([name, value]) => el("input", { type: "hidden", name, value })),
      el(
        "button",
        { type: "submit", class: "quiet" },
        button,
        about !== undefined && el("span", { class: "unseen" }, ` ${about}`)
      )
    )
  )

/** For programs that read the page as Markdown: the API operation that does the same. */
export const byApi = (what: string, operation: string): Kid =>
  prose(el("p", {}, `${what}, send `, el("code", {}, operation), "; /openapi.json describes it."))

interface Field {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly type?: "text" | "email" | "tel" | "password"
  /** The initial value of the field. */
  readonly value?: string | undefined
  readonly autocomplete?: string
  readonly inputmode?: string
  readonly maxlength?: number
  /** The height of a field for several lines of text. */
  readonly lines?: number
}

const wrongWith = ({ refused }: Visit, name: string) => refused?.troubles.find(({ field }) => field === name)?.text

/** A labeled field. After a refusal it shows what is wrong and what was typed, unless that is a secret. */
export const field = (visit: Visit, { name, label, hint, type = "text", value, lines, ...more }: Field): Kid => {
  const wrong = wrongWith(visit, name)
  const described = [hint !== undefined && `${name}-hint`, wrong !== undefined && `${name}-wrong`].filter(Boolean)
  const typed = visit.refused?.typed.get(name) ?? value
  const common = {
    id: name,
    name,
    "aria-invalid": wrong === undefined ? undefined : true,
    "aria-describedby": described.length === 0 ? undefined : described.join(" "),
    ...more
  }
  return el(
    "div",
    { class: "field" },
    el("label", { for: name }, label),
    hint !== undefined && el("p", { id: `${name}-hint`, class: "note" }, hint),
    wrong !== undefined && el("p", { id: `${name}-wrong`, class: "wrong" }, wrong),
    lines === undefined
      ? el("input", { ...common, type, value: type === "password" ? undefined : typed, spellcheck: "false" })
      : el("textarea", { ...common, rows: lines }, typed)
  )
}

/**
 * A choice of one, as radio buttons; the first has the field's name as its id, so that an error summary can link to it.
 */
export const choice = (
  visit: Visit,
  {
    name,
    legend,
    chosen,
    options
  }: {
    readonly name: string
    readonly legend: string
    readonly chosen: string
    readonly options: Readonly<Record<string, string>>
  }
): Kid => {
  const wrong = wrongWith(visit, name)
  const now = visit.refused?.typed.get(name) ?? chosen
  return el(
    "fieldset",
    { class: "field" },
    el("legend", {}, legend),
    wrong !== undefined && el("p", { class: "wrong" }, wrong),
    Object.entries(options).map(([value, label], index) =>
      el(
        "label",
        { class: "option" },
        el("input", { type: "radio", id: index === 0 ? name : undefined, name, value, checked: value === now }),
        el("span", {}, label)
      )
    )
  )
}
