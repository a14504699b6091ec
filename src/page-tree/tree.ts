/**
 * A page before it becomes HTML or Markdown. The elements are a closed list, each with one meaning in both forms, so
 * that neither form can say what the other does not. There is no raw HTML.
 */
export type Kid = string | El | false | undefined | ReadonlyArray<Kid>

export type Value = string | number | boolean | undefined

export interface El {
  readonly tag: Tag
  readonly attributes: Readonly<Record<string, Value>>
  readonly kids: ReadonlyArray<Kid>
}

/** Attributes that every element may have. */
type Common = {
  readonly id?: string | undefined
  readonly class?: string | undefined
  readonly lang?: string | undefined
  readonly hidden?: boolean
  readonly role?: string
  readonly tabindex?: number
  readonly autofocus?: boolean
  readonly [name: `aria-${string}` | `data-${string}`]: Value
}

/** Elements with further attributes, required or optional. */
interface Attributes {
  a: { readonly href: string; readonly rel?: string; readonly target?: "_blank"; readonly download?: boolean }
  button: {
    readonly type: "button" | "submit"
    readonly name?: string
    readonly value?: string | undefined
    readonly disabled?: boolean
    readonly popovertarget?: string
  }
  details: { readonly open?: boolean; readonly name?: string }
  form: {
    readonly action: string
    readonly method: "get" | "post"
    readonly novalidate?: boolean
    readonly enctype?: "multipart/form-data"
  }
  progress: { readonly max: number; readonly value: number }
  img: {
    readonly src: string
    readonly alt: string
    readonly width: number
    readonly height: number
    readonly loading?: "lazy"
  }
  input: {
    readonly type: "search" | "text" | "email" | "password" | "tel" | "hidden" | "checkbox" | "radio" | "file"
    readonly name?: string
    readonly value?: string | undefined
    readonly checked?: boolean
    readonly placeholder?: string
    readonly autocomplete?: string
    readonly required?: boolean
    readonly maxlength?: number
    readonly inputmode?: string
    readonly spellcheck?: "false"
    readonly readonly?: boolean
  }
  label: { readonly for?: string }
  ol: { readonly start?: number }
  option: { readonly value: string; readonly selected?: boolean }
  output: { readonly for?: string }
  path: { readonly d: string; readonly stroke?: string; readonly "stroke-width"?: number }
  rect: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  select: { readonly name: string }
  svg: {
    readonly viewBox: string
    readonly preserveAspectRatio?: "none"
    readonly width?: number | string
    readonly height?: number
    readonly focusable?: "false"
  }
  td: { readonly colspan?: number }
  textarea: {
    readonly name: string
    readonly rows: number
    readonly maxlength?: number
    readonly autocomplete?: string
  }
  th: { readonly scope?: "col" | "row" }
  time: { readonly datetime: string }
  track: {
    readonly kind: "captions" | "chapters"
    readonly src: string
    readonly srclang: string
    readonly label: string
    readonly default?: boolean
  }
  ul: {
    /** In Markdown the items share one line. */
    readonly inline?: true
  }
  audio: {
    readonly src: string
    readonly controls: true
    readonly preload: "none"
  }
  video: {
    readonly src: string
    readonly poster?: string | undefined
    readonly controls: true
    readonly preload: "none" | "metadata"
    readonly playsinline: true
    readonly width?: number
    readonly height?: number
    readonly controlslist?: string
  }
}

/** The remaining elements; `heading`, `web` and `prose` are this project's own. */
type Plain =
  | "article"
  | "aside"
  | "blockquote"
  | "br"
  | "caption"
  | "code"
  | "dd"
  | "del"
  | "div"
  | "dl"
  | "dt"
  | "em"
  | "fieldset"
  | "figcaption"
  | "figure"
  | "footer"
  | "header"
  | "heading"
  | "hr"
  | "kbd"
  | "legend"
  | "li"
  | "main"
  | "mark"
  | "nav"
  | "p"
  | "pre"
  | "prose"
  | "search"
  | "section"
  | "small"
  | "span"
  | "strong"
  | "summary"
  | "table"
  | "tbody"
  | "thead"
  | "tr"
  | "web"

export type Tag = keyof Attributes | Plain
type AttributesOf<T extends Tag> = Common & (T extends keyof Attributes ? Attributes[T] : unknown)

/** An element; a misspelt attribute, a link without `href` and an image without `alt` do not compile. */
export function el<T extends Tag>(tag: T, attributes: AttributesOf<T>, ...kids: ReadonlyArray<Kid>): El
export function el(tag: Tag, attributes: Readonly<Record<string, Value>>, ...kids: ReadonlyArray<Kid>): El {
  return { tag, attributes, kids }
}

/** For people at a screen only: controls, or a repetition of the prose. */
export const web = (...kids: ReadonlyArray<Kid>): El => ({ tag: "web", attributes: {}, kids })

/** For readers of Markdown only: links, where the screen has a control. */
export const prose = (...kids: ReadonlyArray<Kid>): El => ({ tag: "prose", attributes: {}, kids })

/** A heading gets its level from the number of sections around it, so that no page can skip one. */
export const heading = (...kids: ReadonlyArray<Kid>): El => ({ tag: "heading", attributes: {}, kids })

/** The elements in which headings are one level lower. */
export const deeper: ReadonlySet<Tag> = new Set(["section", "article"])

/** The text of a tree without its markup, including text that one of the two forms leaves out. */
export const textOf = (kid: Kid): string => {
  if (typeof kid === "string") return kid
  if (kid === undefined || kid === false) return ""
  return "tag" in kid ? kid.kids.map(textOf).join("") : kid.map(textOf).join("")
}
