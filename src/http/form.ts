import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { invalidRequest, notAForm, shortened } from "../api/errors/common.ts"

const forms = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\s*(?:;|$)/i

/**
 * The fields of a submitted form, in either of HTML's encodings; none for an empty body. Files are ignored. U+0000,
 * which PostgreSQL cannot store, is refused here as in an address.
 */
export const readForm = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const body = yield* Effect.orDie(request.arrayBuffer)
  if (body.byteLength === 0) return new URLSearchParams()
  const type = request.headers["content-type"] ?? ""
  if (!forms.test(type)) return yield* Effect.fail(notAForm(type))
  const form = yield* Effect.tryPromise({
    try: () => new Response(body, { headers: { "content-type": type } }).formData(),
    catch: () => invalidRequest("The body", "is not a form of the type in Content-Type", "Send a complete form.")
  })
  const fields = [...form].flatMap(
    ([name, value]): Array<[string, string]> => (typeof value === "string" ? [[name, value]] : [])
  )
  const bad = fields.find((field) => field.some((text) => text.includes("\u0000")))?.[0]
  if (bad !== undefined) {
    const field = bad.includes("\u0000") ? "The name of a field" : shortened(bad)
    return yield* Effect.fail(
      invalidRequest(field, "must not hold the character U+0000", "Leave it out, and send again.")
    )
  }
  return new URLSearchParams(fields)
})
