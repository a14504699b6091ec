import { Effect, Schema } from "effect"
import type { AccountId, MeetingId } from "../../../schema/primitives.ts"
import { mayRead, type Viewer } from "../../../schema/viewer.ts"

/** Nobody is signed in, where it takes a session (or, for a meeting, a session or a grant). */
export class SignInRequired extends Schema.TaggedError<SignInRequired>()("SignInRequired", {}) {}

/** A share grant was presented that is not good, and nobody is signed in. */
export class ShareGrantInvalid extends Schema.TaggedError<ShareGrantInvalid>()("ShareGrantInvalid", {}) {}

/** A good share grant, for another meeting. */
export class ShareGrantOtherMeeting extends Schema.TaggedError<ShareGrantOtherMeeting>()(
  "ShareGrantOtherMeeting",
  {}
) {}

export type Refusal = SignInRequired | ShareGrantInvalid | ShareGrantOtherMeeting

/** Lets through who may read this meeting (spec section 5, rule 2). */
export const requireReader = (viewer: Viewer, meetingId: MeetingId): Effect.Effect<void, Refusal> => {
  if (mayRead(viewer, meetingId)) return Effect.void
  if (viewer._tag === "ShareHolder") return Effect.fail(new ShareGrantOtherMeeting())
  return Effect.fail(
    viewer._tag === "Anonymous" && viewer.grantRefused ? new ShareGrantInvalid() : new SignInRequired()
  )
}

/** Lets through who is signed in, and says who that is; a share grant is no session. */
export const requireSession = (viewer: Viewer): Effect.Effect<AccountId, SignInRequired> =>
  viewer._tag === "Reader" ? Effect.succeed(viewer.accountId) : Effect.fail(new SignInRequired())
