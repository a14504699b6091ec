import { Schema } from "effect"
import { page, paged, pageSize } from "./people.ts"
import { Count, Seconds } from "./primitives.ts"
import { AtMeeting } from "./vote.ts"

export const PersonSaidQuery = Schema.Struct({ page, page_size: pageSize })
export interface PersonSaidQuery extends Schema.Schema.Type<typeof PersonSaidQuery> {}

/** A meeting at which a person spoke. */
const SaidAtMeeting = Schema.Struct({
  meeting: AtMeeting,
  turns: Count.annotate({ description: "How often they took the floor." }),
  moments: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        start: Seconds,
        text: Schema.optionalKey(
          Schema.String.annotate({ description: "How it begins.", examples: ["I ask for a recess of ten minutes…"] })
        ),
        item: AtMeeting.fields.item
      })
    ).annotate({
      description:
        "Where they speak longest, at most three, in the order of time, for callers who may read the meeting. `item` is the last one that began before."
    })
  )
}).annotate({ identifier: "SaidAtMeeting", description: "A meeting at which a person spoke." })

export const PersonSaid = Schema.Struct({ ...paged, meetings: Schema.Array(SaidAtMeeting) }).annotate({
  identifier: "PersonSaid",
  description: "The meetings at which one person spoke, the newest first."
})
export interface PersonSaid extends Schema.Schema.Type<typeof PersonSaid> {}
