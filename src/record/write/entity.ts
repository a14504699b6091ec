import { createHash } from "node:crypto"
import type { BundleEntity } from "../../../schema/bundle.ts"
import { inGroups } from "../../services/meetings/passages.ts"

/** Raised when the stored form of an unchanged entity changes, so that importing it again writes it again. */
const edition = "1"

/** An instant as it is exported: a fraction of a second only where there is one. */
const instant = (text: string): string => text.replace(/\.0+Z$/, "Z")

/** Fields that are an instant. */
const instants: ReadonlySet<string> = new Set(["starts_at", "published_at", "agenda_changed_at", "fetched_at"])

/**
 * The canonical spelling of a field that has several. A transcript's words, which make up most of an entity, have only
 * one.
 */
const canonicalField = (entity: BundleEntity, key: string, value: unknown): unknown => {
  if (typeof value === "string" && instants.has(key)) return instant(value)
  if (entity.type === "agency" && (key === "retired_slugs" || key === "retired_paths")) return entity[key]?.toSorted()
  if (entity.type === "vote" && key === "counts") {
    return entity.counts?.map(({ option, value: votes }) => ({ option, value: votes }))
  }
  if (entity.type !== "claims" || key !== "claims") return value
  return entity.claims.map(({ checked_at, ...claim }) =>
    checked_at === undefined ? claim : { ...claim, checked_at: instant(checked_at) }
  )
}

/** Segments whose JSON is made at a time. */
const segmentsAtOnce = 1000

/** The JSON of an entity's fields in pieces, so that a long transcript is never whole in memory. */
function* jsonPieces(fields: ReadonlyArray<readonly [key: string, value: unknown]>): Generator<string> {
  for (const [at, [key, value]] of fields.entries()) {
    yield `${at === 0 ? "[" : ","}[${JSON.stringify(key)},`
    if (Array.isArray(value) && value.length > segmentsAtOnce) {
      let start = "["
      for (const group of inGroups(value, segmentsAtOnce)) {
        yield start + JSON.stringify(group).slice(1, -1)
        start = ","
      }
      yield "]"
    } else yield JSON.stringify(value)
    yield "]"
  }
  yield "]"
}

/**
 * Shows whether an entity is the one on record: the SHA-256 of its JSON, in base64url. Equal for equal entities,
 * whatever the order of their fields and the spelling of their instants.
 */
export const fingerprint = (entity: BundleEntity): string => {
  const fields = Object.entries(entity).map(([key, value]) => [key, canonicalField(entity, key, value)] as const)
  const hash = createHash("sha256").update(edition)
  for (const piece of jsonPieces(fields.sort(([a], [b]) => (a < b ? -1 : 1)))) hash.update(piece)
  return hash.digest("base64url")
}

export type EntityType = BundleEntity["type"]

/** A meeting, or something made of its recording or its papers. */
type AboutMeeting = Exclude<
  BundleEntity,
  { readonly type: "place" | "agency" | "person" | "membership" | "matter" | "vote" | "removed" }
>

const isOfOthers: ReadonlySet<EntityType> = new Set([
  "place",
  "agency",
  "person",
  "membership",
  "matter",
  "vote",
  "removed"
])

export const isAboutMeeting = (entity: BundleEntity): entity is AboutMeeting => !isOfOthers.has(entity.type)

/** Types in an order in which each comes after those it refers to. */
export const entityTypes = [
  "place",
  "agency",
  "meeting",
  "transcript",
  "figure",
  "briefing",
  "claims",
  "recap",
  "agenda_summary",
  "clip",
  "media",
  "document",
  "person",
  "membership",
  "matter",
  "vote",
  "removed"
] as const satisfies ReadonlyArray<EntityType>
