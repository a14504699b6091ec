import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Signer } from "../../../layers/signer.ts"
import { Api } from "../../api/api.ts"
import { invalidRequest, notAForm } from "../../api/errors/common.ts"
import { askUnsubscribePage, unsubscribedPage } from "../../pages/unsubscribe.ts"
import { EmailPrefs } from "../../services/accounts/email-prefs.ts"
import { showing } from "../pages/show.ts"

const badToken = () =>
  invalidRequest(
    "t",
    "is not the token of an unsubscribe link",
    "Follow the link of the mail as it is, or sign in and change what is mailed with PUT /api/me/email-prefs."
  )

const forms = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i

/** Reads the one field that a mail program sends (RFC 8058, section 3.1); none at all is taken for it. */
const requireOneClick = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const body = yield* Effect.orDie(request.arrayBuffer)
  if (body.byteLength === 0) return
  const type = request.headers["content-type"] ?? ""
  if (!forms.test(type)) return yield* Effect.fail(notAForm(type))
  const form = yield* Effect.tryPromise({
    try: () => new Response(body, { headers: { "content-type": type } }).formData(),
    catch: () => invalidRequest("The body", "is not the form that its Content-Type says", "Send a whole form.")
  })
  if (form.get("List-Unsubscribe") !== "One-Click") {
    return yield* Effect.fail(
      invalidRequest("List-Unsubscribe", "must be One-Click", "Send List-Unsubscribe=One-Click (RFC 8058).")
    )
  }
})

export const UnsubscribeLive = HttpApiBuilder.group(
  Api,
  "unsubscribe",
  Effect.fnUntraced(function* (handlers) {
    const signer = yield* Signer
    const prefs = yield* EmailPrefs
    const show = yield* showing
    const read = (token: string) => Effect.mapError(signer.verifyUnsubscribe(token), badToken)
    return handlers.handleAll({
      show: Effect.fnUntraced(function* ({ query, request }) {
        const { list } = yield* read(query.t)
        return show(request, askUnsubscribePage(list, query.t), false, "html")
      }),
      unsubscribe: Effect.fnUntraced(function* ({ query, request }) {
        const { accountId, list } = yield* read(query.t)
        yield* requireOneClick(request)
        yield* prefs.unsubscribe(accountId, list)
        return show(request, unsubscribedPage(list), false, "html")
      })
    })
  })
)
