import { Effect } from "effect"
import { CurrentViewer } from "../../api/access.ts"
import { shareGrantInvalid, shareGrantOtherMeeting, signInRequired } from "../../api/errors/common.ts"
import { type Refusal, requireSession } from "../../services/accounts/access.ts"

/** A refusal as the wire knows it. */
export const wireRefusal = (refusal: Refusal) => {
  switch (refusal._tag) {
    case "SignInRequired":
      return signInRequired()
    case "ShareGrantInvalid":
      return shareGrantInvalid()
    case "ShareGrantOtherMeeting":
      return shareGrantOtherMeeting()
  }
}

/** Who is signed in, for what takes a session. */
export const reader = Effect.flatMap(CurrentViewer, (viewer) => Effect.mapError(requireSession(viewer), wireRefusal))
