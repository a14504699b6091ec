import { Data, Effect } from "effect"
import type { AccountId, MeetingId } from "../../../schema/primitives.ts"
import { mayRead, type Viewer } from "../../../schema/viewer.ts"

/** A session is required, and nobody is signed in. `orGrant` says that a grant to the meeting would do too. */
export class SignInRequired extends Data.TaggedError("SignInRequired")<{ readonly orGrant?: boolean }> {}

/** The share grant presented is not valid, and nobody is signed in. */
export class ShareGrantInvalid extends Data.TaggedError("ShareGrantInvalid") {}

/** A valid share grant, but for another meeting. */
export class ShareGrantOtherMeeting extends Data.TaggedError("ShareGrantOtherMeeting") {}

type Refusal = SignInRequired | ShareGrantInvalid | ShareGrantOtherMeeting

/** Admits a viewer who may read this meeting (spec section 5, rule 2). */
export const requireReader = (viewer: Viewer, meetingId: MeetingId): Effect.Effect<void, Refusal> => {
  if (mayRead(viewer, meetingId)) return Effect.void
  return Effect.andThen(requireSessionOrGrant(viewer), Effect.fail(new ShareGrantOtherMeeting()))
}

/** Admits a viewer who is signed in or holds a grant to any meeting. */
export const requireSessionOrGrant = (viewer: Viewer): Effect.Effect<void, ShareGrantInvalid | SignInRequired> =>
  viewer._tag !== "Anonymous"
    ? Effect.void
    : Effect.fail(viewer.grantRefused ? new ShareGrantInvalid() : new SignInRequired({ orGrant: true }))

/** The signed-in account; a share grant is not a session. */
export const requireSession = (viewer: Viewer): Effect.Effect<AccountId, SignInRequired> =>
  viewer._tag === "Reader" ? Effect.succeed(viewer.accountId) : Effect.fail(new SignInRequired({}))
