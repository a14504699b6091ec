import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentViewer } from "../../api/access.ts"
import { Api } from "../../api/api.ts"
import { requireSession } from "../../services/access.ts"
import { EmailPrefs } from "../../services/email-prefs.ts"
import { wireRefusal } from "./refusals.ts"

export const EmailPrefsLive = HttpApiBuilder.group(
  Api,
  "email_prefs",
  Effect.fnUntraced(function* (handlers) {
    const prefs = yield* EmailPrefs
    const reader = Effect.flatMap(CurrentViewer, (viewer) => Effect.mapError(requireSession(viewer), wireRefusal))
    return handlers.handleAll({
      get: () => Effect.flatMap(reader, prefs.get),
      update: ({ payload }) => Effect.flatMap(reader, (account) => prefs.update(account, payload))
    })
  })
)
