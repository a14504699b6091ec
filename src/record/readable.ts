import { Result } from "effect"
import type { BundleEntity } from "../../schema/bundle.ts"
import { decodeEntity } from "./formats/bundle.ts"
import type { Fault } from "./formats/decode.ts"

/** C0 and C1 control characters and DEL, but for tab, line feed and carriage return; NUL is removed before. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const controls = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** Embeddings, overrides and isolates (UAX #9, section 2), which display text in another order than it is stored in. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unwanted = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

const isReadable = (text: string): boolean => !unwanted.test(text) && text.isWellFormed()

/**
 * Text as the record keeps it, wherever it comes from. PostgreSQL cannot store NUL, which is removed, or half of a
 * surrogate pair, which becomes U+FFFD. Control characters can move a terminal's cursor or break XML: each becomes a
 * space, because some stand between words. Tabs and line breaks stay. Characters that reorder text, so that it reads as
 * what it does not say, are removed.
 */
export const readable = (text: string): string =>
  isReadable(text) ? text : text.replaceAll("\0", "").replace(controls, " ").replace(reordering, "").toWellFormed()

/** The characters that were removed or replaced in a field. */
export interface Removal {
  /** The dotted path of the first place where something was, such as `segments.3.text`. */
  readonly field: string
  readonly message: string
}

/** Findings in fields of one name, anywhere in lists. */
interface Finding {
  readonly field: string
  nul: number
  controls: number
  reordering: number
  surrogates: number
}

const cleanText = (text: string, path: ReadonlyArray<string>, findings: Map<string, Finding>): string => {
  if (isReadable(text)) return text
  const name = path.filter((key) => !/^\d+$/.test(key)).join(".")
  const finding = findings.get(name) ?? { field: path.join("."), nul: 0, controls: 0, reordering: 0, surrogates: 0 }
  findings.set(name, finding)
  finding.nul += text.split("\0").length - 1
  finding.controls += text.match(controls)?.length ?? 0
  finding.reordering += text.match(reordering)?.length ?? 0
  finding.surrogates += text.match(/\p{Surrogate}/gu)?.length ?? 0
  return readable(text)
}

const clean = (value: unknown, path: ReadonlyArray<string>, findings: Map<string, Finding>): unknown => {
  if (typeof value === "string") return cleanText(value, path, findings)
  if (Array.isArray(value)) return value.map((item, at) => clean(item, [...path, String(at)], findings))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, clean(field, [...path, key], findings)]))
}

const needsCleaning = (value: unknown): boolean => {
  if (typeof value === "string") return !isReadable(value)
  if (typeof value !== "object" || value === null) return false
  return Array.isArray(value) ? value.some(needsCleaning) : Object.values(value).some(needsCleaning)
}

const nameOf = (entity: BundleEntity): string => {
  switch (entity.type) {
    case "place":
    case "agency":
      return `${entity.type} ${entity.slug}`
    case "removed":
      return `the removal of ${entity.what} ${entity.id}`
    case "meeting":
      return `meeting ${entity.id}`
    case "person":
    case "matter":
      return `${entity.type} ${entity.slug}`
    case "membership":
    case "vote":
      return `${entity.type} ${entity.id}`
    case "transcript":
      return `the ${entity.version} transcript of meeting ${entity.meeting_id}`
    default:
      return `the ${entity.type} of meeting ${entity.meeting_id}`
  }
}

const counted = (count: number, one: string, many: string): ReadonlyArray<string> =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

const messageOf = ({ nul, controls, reordering, surrogates }: Finding, entity: BundleEntity): string => {
  const done = [
    ...counted(nul, "NUL character (U+0000) is left out", "NUL characters (U+0000) are left out"),
    ...counted(controls, "control character is replaced with a space", "control characters are replaced with spaces"),
    ...counted(reordering, "character that reorders text is left out", "characters that reorder text are left out"),
    ...counted(
      surrogates,
      "half of a surrogate pair is replaced with U+FFFD",
      "halves of surrogate pairs are replaced with U+FFFD"
    )
  ]
  return `${done.join(" and ")}, from here on in ${nameOf(entity)}`
}

/**
 * An entity with all of its text readable, and what was removed, once per field name. Fails where a field is left
 * without anything that it must have: a title of nothing but control characters is no title.
 */
export const withReadableText = (
  entity: BundleEntity
): Result.Result<{ readonly entity: BundleEntity; readonly removals: ReadonlyArray<Removal> }, Fault> => {
  if (!needsCleaning(entity)) return Result.succeed({ entity, removals: [] })
  const findings = new Map<string, Finding>()
  return Result.map(decodeEntity(clean(entity, [], findings), entity.type), ({ value, leftOut }) => ({
    entity: value,
    removals: [
      ...[...findings.values()].map((finding) => ({ field: finding.field, message: messageOf(finding, entity) })),
      ...leftOut.map(({ field, message }) => ({ field, message: `${message}; it is left out` }))
    ]
  }))
}
