import type { AccountId, MeetingId } from "./primitives.ts"

/** Who is asking, determined once per request (spec section 5). */
export type Viewer =
  /** `grantRefused`: a share grant was presented that is not valid: unknown, forged, expired, or already redeemed. */
  | { readonly _tag: "Anonymous"; readonly grantRefused: boolean }
  | { readonly _tag: "Reader"; readonly accountId: AccountId }
  | { readonly _tag: "ShareHolder"; readonly meetingId: MeetingId }

export const anonymous: Viewer = { _tag: "Anonymous", grantRefused: false }

/** Whether this viewer may read the full record of this meeting: any reader, and the holder of a grant to it. */
export const mayRead = (viewer: Viewer, meetingId: MeetingId): boolean =>
  viewer._tag === "Reader" || (viewer._tag === "ShareHolder" && viewer.meetingId === meetingId)
