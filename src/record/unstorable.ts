import type { BundleEntity } from "../../schema/bundle.ts"

/** Characters of one field that PostgreSQL cannot store, and that were taken out of it. */
export interface Removal {
  /** The dotted path of the first place where they were, such as `segments.3.text`. */
  readonly field: string
  readonly message: string
}

/** What was found in fields of one name, wherever they are in lists. */
interface Finding {
  readonly field: string
  nul: number
  surrogates: number
}

const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed()

const cleanText = (text: string, path: ReadonlyArray<string>, findings: Map<string, Finding>): string => {
  if (isStorable(text)) return text
  const name = path.filter((key) => !/^\d+$/.test(key)).join(".")
  const finding = findings.get(name) ?? { field: path.join("."), nul: 0, surrogates: 0 }
  findings.set(name, finding)
  const kept = text.replaceAll("\0", "")
  finding.nul += text.length - kept.length
  const wellFormed = kept.toWellFormed()
  for (let at = 0; at < kept.length; at++) if (kept[at] !== wellFormed[at]) finding.surrogates++
  return wellFormed
}

const clean = (value: unknown, path: ReadonlyArray<string>, findings: Map<string, Finding>): unknown => {
  if (typeof value === "string") return cleanText(value, path, findings)
  if (Array.isArray(value)) return value.map((item, at) => clean(item, [...path, String(at)], findings))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, clean(field, [...path, key], findings)]))
}

const holds = (value: unknown): boolean => {
  if (typeof value === "string") return !isStorable(value)
  if (typeof value !== "object" || value === null) return false
  return Array.isArray(value) ? value.some(holds) : Object.values(value).some(holds)
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
    case "transcript":
      return `the ${entity.version} transcript of meeting ${entity.meeting_id}`
    default:
      return `the ${entity.type} of meeting ${entity.meeting_id}`
  }
}

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const messageOf = ({ nul, surrogates }: Finding, entity: BundleEntity): string => {
  const done = [
    ...(nul === 0 ? [] : [`${plural(nul, "NUL character (U+0000) is", "NUL characters (U+0000) are")} left out`]),
    ...(surrogates === 0
      ? []
      : [`${plural(surrogates, "half of a surrogate pair is", "halves of surrogate pairs are")} replaced with U+FFFD`])
  ]
  return `${done.join(" and ")}, from here on in ${nameOf(entity)}`
}

/**
 * An entity without the characters that PostgreSQL cannot store in text: NUL (U+0000) is removed, half of a surrogate pair
 * becomes U+FFFD. Returns what was removed, once per field name. An entity without such characters is returned as it is.
 */
export const withoutUnstorable = (
  entity: BundleEntity
): { readonly entity: BundleEntity; readonly removals: ReadonlyArray<Removal> } => {
  if (!holds(entity)) return { entity, removals: [] }
  const findings = new Map<string, Finding>()
  // Only characters of texts go, so that it is still an entity of its type.
  const cleaned = clean(entity, [], findings) as BundleEntity
  const removals = [...findings.values()].map((finding) => ({
    field: finding.field,
    message: messageOf(finding, entity)
  }))
  return { entity: cleaned, removals }
}
