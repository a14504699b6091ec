import { shareGrantInvalid, shareGrantOtherMeeting, signInRequired } from "../../api/errors.ts"
import type { Refusal } from "../../services/access.ts"

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
