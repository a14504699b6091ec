import { type El, el, type Kid } from "../../page-tree/tree.ts"
import type { Shape } from "./api-document.ts"

/** Descriptions in the document are Markdown, of which they use only code: `like this`. */
export const described = (text: string): Kid =>
  text.split("`").map((part, at) => (at % 2 === 1 ? el("code", {}, part) : part))

const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

const listed = (kids: ReadonlyArray<Kid>, between: string): Kid =>
  kids.map((kid, at) => (at === 0 ? kid : [between, kid]))

/** A type in words: `list of MeetingCard`, `"held" or "upcoming"`, `string (uuid)`. */
export const typeOf = ({ $ref, type, format, enum: values, items, anyOf }: Shape): Kid => {
  if ($ref !== undefined) return el("a", { href: `#${nameIn($ref)}` }, nameIn($ref))
  if (anyOf !== undefined) return listed(anyOf.map(typeOf), " or ")
  if (values !== undefined) {
    return listed(
      values.map((value) => el("code", {}, JSON.stringify(value))),
      " or "
    )
  }
  if (items !== undefined) return ["list of ", typeOf(items)]
  const named = typeof type === "string" ? type : (type?.join(" or ") ?? "anything")
  return format === undefined ? named : `${named} (${format})`
}

/** One name with its type and what it means. */
export const field = (name: string, notes: string, shape: Shape, about: string | undefined): El =>
  el(
    "li",
    {},
    el("code", {}, name),
    ", ",
    typeOf(shape),
    notes,
    about !== undefined && [". ", described(about)],
    fieldsOf(shape)
  )

/** The fields of an object, and of objects within it. */
export const fieldsOf = (shape: Shape): Kid => {
  const { properties, required = [], items, anyOf } = shape
  if (properties !== undefined) {
    return el(
      "ul",
      { class: "points" },
      Object.entries(properties).map(([name, inner]) =>
        field(name, required.includes(name) ? "" : ", optional", inner, inner.description)
      )
    )
  }
  if (items !== undefined) return fieldsOf(items)
  return anyOf?.map(fieldsOf)
}

/** An example of a shape, from the examples of its fields; only what is required. */
export const exampleOf = (shape: Shape, named: Readonly<Record<string, Shape>>): unknown => {
  const { $ref, examples, enum: values, items, properties, required = [], anyOf } = shape
  const found = $ref === undefined ? undefined : named[nameIn($ref)]
  if (found !== undefined) return exampleOf(found, named)
  const [example = values?.[0]] = examples ?? []
  if (example !== undefined) return example
  if (items !== undefined) return [exampleOf(items, named)]
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0], named)
  if (properties === undefined) return shape.type === "string" ? "" : shape.type === "boolean" ? true : 0
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, inner]) => [name, exampleOf(inner, named)])
  )
}
