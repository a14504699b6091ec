import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/api.ts"
import { invalidRequest } from "../../api/errors/common.ts"
import { wire } from "../../failures/failures.ts"
import { askUnsubscribePage, unsubscribedPage } from "../../pages/unsubscribe.ts"
import { EmailPrefs } from "../../services/accounts/email-prefs.ts"
import { readForm } from "../form.ts"
import { showing } from "../pages/show.ts"

/** Checks the one field that a mail program sends (RFC 8058, section 3.1). An empty body counts as one click too. */
const requireOneClick = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const form = yield* readForm(request)
  if (form.size > 0 && form.get("List-Unsubscribe") !== "One-Click") {
    return yield* Effect.fail(
      invalidRequest("List-Unsubscribe", "must be One-Click", "Send List-Unsubscribe=One-Click (RFC 8058).")
    )
  }
})

export const UnsubscribeLive = HttpApiBuilder.group(
  Api,
  "unsubscribe",
  Effect.fnUntraced(function* (handlers) {
    const prefs = yield* EmailPrefs
    const show = yield* showing
    return handlers.handleAll({
      show: Effect.fnUntraced(function* ({ query, request }) {
        const { list } = yield* Effect.mapError(prefs.readLink(query.t), wire)
        return show(request, askUnsubscribePage(list, query.t), false, "html")
      }),
      unsubscribe: Effect.fnUntraced(function* ({ query, request }) {
        const link = yield* Effect.mapError(prefs.readLink(query.t), wire)
        yield* requireOneClick(request)
        yield* prefs.unsubscribe(link)
        return show(request, unsubscribedPage(link.list), false, "html")
      })
    })
  })
)
