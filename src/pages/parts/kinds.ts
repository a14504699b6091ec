import { type BodyKind, bodyKindLabels } from "../../../schema/agency.ts"

/** The kind of body, shown above its name; "Other body" would raise the question other than what. */
export const bodyKindNames: Readonly<Record<BodyKind, string>> = { ...bodyKindLabels, other: "Public body" }
