import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Internal, Unavailable, UnsupportedMediaType } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"

/** Where the links of mails lead; the only path that takes a body which is not JSON. */
export const unsubscribePath = "/api/email/unsubscribe"

const query = {
  t: Schema.String.check(Schema.isMaxLength(512)).pipe(
    Schema.annotateKey({
      description: "The token of the link in a mail. It does not expire.",
      examples: ["k1.5d0c3c8e-95a0-4b5c-9d9e-2f6c5b0f7a11.recaps.uJx0"]
    })
  )
}

const page = (description: string) =>
  Schema.String.annotate({ description, examples: ["<!doctype html>…"] }).pipe(
    HttpApiSchema.asText({ contentType: "text/html" })
  )

const form = {
  schema: {
    type: "object",
    properties: { "List-Unsubscribe": { type: "string", const: "One-Click" } }
  },
  example: { "List-Unsubscribe": "One-Click" }
}

/** Spec 4.8, RFC 8058. Neither a session nor an origin counts here: who holds the link has the mail. */
export const UnsubscribeGroup = HttpApiGroup.make("unsubscribe")
  .add(
    HttpApiEndpoint.get("show", unsubscribePath, {
      query,
      success: page("A page that asks whether to unsubscribe."),
      error: [Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "showUnsubscribe",
        summary: "The page of an unsubscribe link",
        description: "Asks a person whether to unsubscribe. It changes nothing, whoever follows the link."
      })
    ),
    HttpApiEndpoint.post("unsubscribe", unsubscribePath, {
      query,
      success: page("A page that says what is mailed no more."),
      error: [UnsupportedMediaType, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "unsubscribe",
        summary: "Unsubscribe",
        description:
          "Ends the mails of the list that the token names, without a session, as mail programs do it with one click (RFC 8058). The body is `List-Unsubscribe=One-Click` as a form in either encoding, or there is none. Again it is answered the same.",
        override: {
          requestBody: {
            required: false,
            content: { "application/x-www-form-urlencoded": form, "multipart/form-data": form }
          }
        }
      })
    )
  )
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Unsubscribe", description: "Ending mails from a link in one of them." }))
