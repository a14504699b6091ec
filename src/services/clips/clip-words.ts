import { Context, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { Span } from "../../../schema/briefing.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { MediaTier } from "../meetings/media-tier.ts"
import { spokenIn } from "../meetings/recording.ts"
import { clipCaptions, clipTurns, type Turn } from "./clip-captions.ts"

/** The words of a clip for reading, with their language; no turns if nothing is said in it. */
export interface ClipSaid {
  readonly language: string
  readonly turns: ReadonlyArray<Turn>
}

/** An object that is a clip: a published one, or a reader's. */
export type ClipObject = Extract<MediaTier, { readonly kind: "clip" | "user_clip" }>

/** The words of clips. Whoever may watch a clip hears them: they are asked for only beside a clip that was opened. */
export class ClipWords extends Context.Service<
  ClipWords,
  {
    /** What is said in a clip of a meeting; undefined if the meeting has no transcript. */
    readonly said: (meetingId: MeetingId, span: Span) => Effect.Effect<ClipSaid | undefined>
    /**
     * The captions of a published or ready clip as WebVTT, by the clip's own clock; undefined if there is no such clip,
     * or no transcript of its meeting.
     */
    readonly captions: (clip: ClipObject) => Effect.Effect<string | undefined>
  }
>()("civic-record/ClipWords") {
  static readonly layer = Layer.effect(
    ClipWords,
    Effect.gen(function* () {
      const db = yield* Db

      const said = Effect.fn("ClipWords.said")(function* (meetingId: MeetingId, { start, end }: Span) {
        const spoken = yield* spokenIn(db, meetingId, { start, end })
        if (spoken === undefined) return undefined
        return { language: spoken.language, turns: clipTurns(spoken.segments, { start, end }) }
      }, dbDies)

      const captions = Effect.fn("ClipWords.captions")(function* (clip: ClipObject) {
        const [row] =
          clip.kind === "clip"
            ? yield* db<Span & { readonly meeting_id: MeetingId }>`
                select meeting_id, start::float8 as start, "end"::float8 as "end" from clip
                where id = ${clip.ids.clip} and meeting_id = ${clip.ids.meeting} and state = 'published'`
            : yield* db<Span & { readonly meeting_id: MeetingId }>`
                select meeting_id, start::float8 as start, "end"::float8 as "end" from user_clip
                where id = ${clip.ids.userClip} and state = 'ready'`
        if (row === undefined) return undefined
        const { meeting_id, ...span } = row
        const spoken = yield* spokenIn(db, meeting_id, span)
        // A clip in which nothing is said has captions too: none.
        return spoken === undefined ? undefined : (clipCaptions(spoken.segments, span) ?? "WEBVTT\n")
      }, dbDies)

      return { said, captions }
    })
  )
}
