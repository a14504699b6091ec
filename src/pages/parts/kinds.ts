import { type BodyKind, bodyKindLabels } from "../../../schema/agency.ts"

/** What kind of body it is, above its name, where "Other body" would ask other than what. */
export const bodyKindNames: Readonly<Record<BodyKind, string>> = { ...bodyKindLabels, other: "Public body" }
