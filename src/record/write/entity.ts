import { createHash } from "node:crypto"
import type { BundleEntity } from "../../../schema/bundle.ts"

/** Raised when what is stored for an unchanged entity changes, so that importing it again writes it again. */
const edition = "1"

/** An instant as it is exported: a fraction of a second only where there is one. */
const instant = (text: string): string => text.replace(/\.0+Z$/, "Z")

/** One spelling of a field that has several. The words of a transcript, which fill an entity, have only one. */
const canonicalField = (entity: BundleEntity, key: string, value: unknown): unknown => {
  if (typeof value === "string" && (key === "starts_at" || key === "published_at")) return instant(value)
  if (entity.type === "agency" && key === "retired_slugs") return entity.retired_slugs?.toSorted()
  if (entity.type !== "claims" || key !== "claims") return value
  return entity.claims.map(({ checked_at, ...claim }) =>
    checked_at === undefined ? claim : { ...claim, checked_at: instant(checked_at) }
  )
}

/**
 * Shows whether an entity is the one on record: the SHA-256 of its JSON, in base64url. Equal for equal entities, whatever
 * the order of their fields and the spelling of their instants.
 */
export const fingerprint = (entity: BundleEntity): string => {
  const fields = Object.entries(entity).map(([key, value]) => [key, canonicalField(entity, key, value)] as const)
  const json = JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
  return createHash("sha256").update(edition).update(json).digest("base64url")
}

export type EntityType = BundleEntity["type"]

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
  "removed"
] as const satisfies ReadonlyArray<EntityType>
