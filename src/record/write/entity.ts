import { createHash } from "node:crypto"
import type { BundleEntity } from "../../../schema/bundle.ts"

/** Raised when what is kept of an unchanged entity changes, so that importing it again writes it again. */
const edition = "1"

/** What tells whether an entity is the one on record. */
export interface Fingerprint {
  /** SHA-256 of its JSON, base64url. */
  readonly hash: string
  /** PostgreSQL keeps no NUL in a text. */
  readonly hasNul: boolean
}

export const fingerprint = (entity: BundleEntity): Fingerprint => {
  const json = JSON.stringify(entity)
  return {
    hash: createHash("sha256").update(edition).update(json).digest("base64url"),
    hasNul: json.includes("\\u0000")
  }
}

export type EntityType = BundleEntity["type"]

/** Types in the order in which they refer to one another. */
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
  "media"
] as const satisfies ReadonlyArray<EntityType>
