import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Internal, Unavailable, UnsupportedMediaType } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"

/** Where the links in mails lead; the only path that accepts a body other than JSON. */
const unsubscribePath = "/api/email/unsubscribe"

const query = {
  t: Schema.String.check(Schema.isMaxLength(512)).pipe(
    Schema.annotateKey({
      description: "The token from the link in a mail. It does not expire.",
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

/** Spec 4.8, RFC 8058. Session and origin do not matter here: the link is the credential. */
export const UnsubscribeGroup = HttpApiGroup.make("unsubscribe")
  .add(
    HttpApiEndpoint.get("show", unsubscribePath, {
      query,
      success: page("A page that asks whether to unsubscribe."),
      error: [Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "showUnsubscribe",
        summary: "Show the unsubscribe page",
        description: "Returns a page that asks whether to unsubscribe. Following the link changes nothing by itself."
      })
    ),
    HttpApiEndpoint.post("unsubscribe", unsubscribePath, {
      query,
      success: page("A page that confirms what is no longer mailed."),
      error: [UnsupportedMediaType, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "unsubscribe",
        summary: "Unsubscribe",
        description:
          "Stops the mails of the list that the token names. No session is needed, so that mail programs can do it with one click (RFC 8058). The body is the form `List-Unsubscribe=One-Click`, in either encoding, or empty. Repeating the request has the same answer.",
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
  .annotateMerge(
    OpenApi.annotations({ title: "Unsubscribe", description: "Stopping mails through a link in one of them." })
  )
