import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MeetingId } from "../../schema/primitives.ts"
import {
  AutoUserClip,
  AutoUserClipRequest,
  CreateUserClipRequest,
  SharedClip,
  UserClip,
  UserClips
} from "../../schema/user-clip.ts"
import { Access } from "./access.ts"
import {
  Conflict,
  Forbidden,
  Gone,
  Internal,
  NotFound,
  RangeNotSatisfiable,
  RateLimited,
  Unauthorized,
  Unavailable,
  Unprocessable
} from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOnly } from "./security.ts"

const clipId = {
  id: Schema.String.annotate({
    description: "The clip's id, a UUID.",
    examples: ["0d9c8b7a-6f5e-4d3c-8b2a-190817263544"]
  })
}
const slug = {
  slug: Schema.String.annotate({ description: "The slug of the clip's link.", examples: ["k7Qm2xVt9aZr4LpB"] })
}

const ofReader = [Unauthorized, Forbidden, Internal, Unavailable] as const
const gone = "An unknown slug, a clip that is not rendered and one that was deleted are answered with the same 404."

const Mp4 = Schema.Uint8Array.annotate({ description: "MP4 (H.264, AAC)." }).pipe(
  HttpApiSchema.asUint8Array({ contentType: "video/mp4" })
)

/** Spec 4.7: clips that readers cut, and what is shared of them. */
export const UserClipsGroup = HttpApiGroup.make("user_clips")
  .add(
    HttpApiEndpoint.post("create", "/api/user-clips", {
      payload: CreateUserClipRequest,
      success: UserClip.pipe(HttpApiSchema.status(201)),
      error: [...ofReader, NotFound, Gone, Conflict, Unprocessable]
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "createUserClip",
          summary: "Cut a clip",
          description:
            "A clip of 1 to 300 seconds within the recording, rendered from the watermarked web rendition. It is answered at once with `state` `rendering`; it can be watched when that is `ready`. An account has at most 10 clips of a meeting."
        })
      ),
    HttpApiEndpoint.get("list", "/api/user-clips", {
      query: {
        meeting_id: Schema.optionalKey(
          MeetingId.pipe(Schema.annotateKey({ description: "Only the clips of this meeting." }))
        )
      },
      success: UserClips,
      error: ofReader
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "listUserClips",
          summary: "Your clips",
          description:
            "The newest first. A ready one has an address to watch it at, minted for this visit and good for six hours, and one to download it from."
        })
      ),
    HttpApiEndpoint.delete("remove", "/api/user-clips/:id", {
      params: clipId,
      success: HttpApiSchema.NoContent,
      error: [...ofReader, NotFound]
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "deleteUserClip",
          summary: "Delete a clip of yours",
          description: "With its link and its media, and before it is rendered too. 404 the second time."
        })
      ),
    HttpApiEndpoint.get("download", "/api/user-clips/:id/download", {
      params: clipId,
      success: Mp4,
      error: [...ofReader, NotFound, RangeNotSatisfiable]
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "downloadUserClip",
          summary: "Download a clip of yours",
          description:
            "The file, as an attachment, with the watermark burned in and the words as a track; for its owner alone. Ranges are answered with 206."
        })
      ),
    HttpApiEndpoint.get("shared", "/api/user-clips/shared/:slug", {
      params: slug,
      success: SharedClip,
      error: [NotFound, Forbidden, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getSharedClip",
        summary: "Watch a shared clip",
        description: `For anyone who has the slug: an address that is watch-only, and good for six hours. ${gone}`
      })
    ),
    HttpApiEndpoint.post("share", "/api/user-clips/shared/:slug/share", {
      params: slug,
      success: HttpApiSchema.NoContent,
      error: [...ofReader, NotFound]
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "countClipShare",
          summary: "Count a press of a clip's share control",
          description: `Once an account, clip and day. ${gone}`
        })
      ),
    HttpApiEndpoint.post("visit", "/api/user-clips/shared/:slug/visit", {
      params: slug,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Forbidden, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "countClipVisit",
        summary: "Count a visit to a shared clip",
        description: `Once a visitor, clip and day; not its owner, and no robots. ${gone}`
      })
    )
  )
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "User clips", description: "Clips that readers cut, and their links." }))

/** By itself, for it is counted by itself: 10 a minute and account (spec section 8). */
export const AutoClipsGroup = HttpApiGroup.make("auto_clips")
  .add(
    HttpApiEndpoint.post("suggest", "/api/user-clips/auto", {
      payload: AutoUserClipRequest,
      success: AutoUserClip,
      error: [...ofReader, NotFound, Gone, Conflict, RateLimited]
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "suggestUserClip",
          summary: "Find where the discussion starts and ends",
          description:
            "Reads the transcript around `start` and asks the deployment's cloud model. The span starts at most 30 seconds before `start`, lasts at most 180, and both of its ends are where somebody begins or ends to speak. No clip is made: send the span to `POST /api/user-clips`. Counted by itself, 10 a minute and account."
        })
      )
  )
  .middleware(Access)
  .middleware(NamesBadFields)
  .annotateMerge(OpenApi.annotations({ title: "Automatic clips", description: "Where a discussion starts and ends." }))

/** These operations as their handlers know them. */
export const UserClipsApi = HttpApi.make("civic-record").add(UserClipsGroup, AutoClipsGroup)
