import { Schema } from "effect"
import { PagePath, Slug } from "./primitives.ts"

export const matterFields = {
  slug: Slug.annotate({ examples: ["springfield-ord-2026-14"] }),
  identifier: Schema.String.annotate({ description: "As its source writes it.", examples: ["Ord. 2026-14"] }),
  title: Schema.String.annotate({ examples: ["Mill Street greenway"] }),
  path: PagePath.annotate({ examples: ["/in/springfield/matters/springfield-ord-2026-14"] })
}

export const MatterRef = Schema.Struct(matterFields).annotate({
  identifier: "MatterRef",
  description: "A matter, as other resources refer to it."
})
export interface MatterRef extends Schema.Schema.Type<typeof MatterRef> {}
