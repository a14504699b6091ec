import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/api.ts"
import { EmailPrefs } from "../../services/accounts/email-prefs.ts"
import { reader } from "../caller.ts"

export const EmailPrefsLive = HttpApiBuilder.group(
  Api,
  "email_prefs",
  Effect.fnUntraced(function* (handlers) {
    const prefs = yield* EmailPrefs
    return handlers.handleAll({
      get: () => Effect.flatMap(reader, prefs.get),
      update: ({ payload }) => Effect.flatMap(reader, (account) => prefs.update(account, payload))
    })
  })
)
