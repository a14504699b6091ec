import { Schema } from "effect"
import { BodyKind } from "../agency.ts"
import { NonEmptyText, Slug, WebAddress } from "../primitives.ts"

/** Which of our bodies each body of a source's calendar is. */
export const UpdateSourceBodiesRequest = Schema.Struct({
  bodies: Schema.Array(Schema.Struct({ source_body: NonEmptyText, agency_slug: Slug }))
}).annotate({ identifier: "UpdateSourceBodiesRequest" })

export const ReassignMeetingAgencyRequest = Schema.Struct({ agency_slug: Slug }).annotate({
  identifier: "ReassignMeetingAgencyRequest"
})

export const FileCandidatesRequest = Schema.Struct({
  candidates: Schema.Array(Schema.Struct({ name: NonEmptyText, kind: BodyKind, url: WebAddress }))
}).annotate({ identifier: "FileCandidatesRequest" })
