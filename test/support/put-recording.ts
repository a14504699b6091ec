import * as path from "node:path"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import type { MeetingId } from "../../schema/primitives.ts"
import { renditionKey } from "../../src/services/meetings/media-tier.ts"
import { scratch } from "./rendering.ts"
import { writeSmallRecording } from "./small-recording.ts"

/**
 * Gives a meeting a made-up rendition of the given length in seconds, as if it had been rendered. A small one is cut in
 * a moment; one of 720p keeps ffmpeg busy long enough to be stopped.
 */
export const putRecording = Effect.fnUntraced(function* (
  meeting: MeetingId,
  seconds: number,
  size: "small" | "720p" = "small"
) {
  const web = path.join(yield* scratch, "web.mp4")
  const renderer = yield* Renderer
  if (size === "small") yield* writeSmallRecording(web, seconds)
  else yield* renderer.synthesize(web, { title: "Council", subtitle: "Regular", duration: seconds, captions: [] })
  const { width, height, duration } = yield* renderer.probe(web)
  const store = yield* ObjectStore
  const { bytes } = yield* store.put(renditionKey(meeting), web, "video/mp4")
  const db = yield* Db
  yield* db`
    insert into media ${db.insert({
      key: renditionKey(meeting),
      meeting_id: meeting,
      role: "rendition",
      media_type: "video/mp4",
      bytes,
      width,
      height,
      duration,
      content_hash: "made up"
    })}
    on conflict (key) do update set bytes = excluded.bytes, duration = excluded.duration`
  return duration
}, Effect.scoped)
