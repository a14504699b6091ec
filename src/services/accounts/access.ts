import { Data, Effect } from "effect"
import type { AccountId, MeetingId } from "../../../schema/primitives.ts"
import { mayRead, type Viewer } from "../../../schema/viewer.ts"

/** Nobody is signed in where a session is needed (or, for a meeting, a session or a grant). */
export class SignInRequired extends Data.TaggedError("SignInRequired") {}

/** The share grant presented is not valid, and nobody is signed in. */
export class ShareGrantInvalid extends Data.TaggedError("ShareGrantInvalid") {}

/** A valid share grant, but for another meeting. */
export class ShareGrantOtherMeeting extends Data.TaggedError("ShareGrantOtherMeeting") {}

type Refusal = SignInRequired | ShareGrantInvalid | ShareGrantOtherMeeting

/** Lets through a viewer who may read this meeting (spec section 5, rule 2). */
export const requireReader = (viewer: Viewer, meetingId: MeetingId): Effect.Effect<void, Refusal> => {
  if (mayRead(viewer, meetingId)) return Effect.void
  if (viewer._tag === "ShareHolder") return Effect.fail(new ShareGrantOtherMeeting())
  return Effect.fail(
    viewer._tag === "Anonymous" && viewer.grantRefused ? new ShareGrantInvalid() : new SignInRequired()
  )
}

/** The account that is signed in; a share grant is not a session. */
export const requireSession = (viewer: Viewer): Effect.Effect<AccountId, SignInRequired> =>
  viewer._tag === "Reader" ? Effect.succeed(viewer.accountId) : Effect.fail(new SignInRequired())
