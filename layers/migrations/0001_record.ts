import { Effect } from "effect"
import { briefings } from "./0001_record/briefings.ts"
import { contents } from "./0001_record/contents.ts"
import { directory } from "./0001_record/directory.ts"
import { media } from "./0001_record/media.ts"
import { meetings } from "./0001_record/meetings.ts"
import { names } from "./0001_record/names.ts"
import { search } from "./0001_record/search.ts"

/** The record: places, the bodies that serve them, their meetings, and what belongs to a meeting. */
export default Effect.all([names, directory, meetings, contents, briefings, media, search], { discard: true })
