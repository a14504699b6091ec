import { Schema } from "effect"
import { PagePath, Slug } from "./primitives.ts"

export const personFields = {
  slug: Slug.annotate({ examples: ["springfield-ada-marsh"] }),
  name: Schema.String.annotate({ examples: ["Ada Marsh"] }),
  path: PagePath.annotate({ examples: ["/people/springfield-ada-marsh"] })
}

/** A person as other resources refer to them. */
export const PersonRef = Schema.Struct(personFields).annotate({
  identifier: "PersonRef",
  description: "A person in public office, as other resources refer to them."
})
export interface PersonRef extends Schema.Schema.Type<typeof PersonRef> {}
