import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Session } from "../../schema/account.ts"
import { Access } from "./access.ts"
import {
  Forbidden,
  Internal,
  InvalidRequest,
  NotFound,
  RateLimited,
  Unauthorized,
  Unavailable
} from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"

const provider = Schema.String.annotate({
  description: "A provider of this deployment, as `GET /api/auth/session` lists them.",
  examples: ["local"]
})

const fromProvider = (description: string, example: string) =>
  Schema.optionalKey(Schema.String.annotate({ description, examples: [example] }))

const redirect = (code: 302 | 303, description: string) =>
  HttpApiSchema.Empty(code).annotate({ description: `${description} \`Location\` says where.` })

/** Spec 4.8: signing in and out. What fails on the way of a browser is a page to it, and the error shape to everyone else. */
export const AuthGroup = HttpApiGroup.make("auth")
  .add(
    HttpApiEndpoint.get("session", "/api/auth/session", {
      success: Session,
      error: [Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getSession",
        summary: "Who is signed in",
        description:
          "The account behind the cookie `cr_session`, if there is one, and the providers that sign people in here: send the browser to a `start_url`, with `return_to`."
      })
    ),
    HttpApiEndpoint.get("start", "/api/auth/oidc/:provider/start", {
      params: { provider },
      query: {
        return_to: Schema.optionalKey(
          Schema.String.annotate({
            description: "A path on this origin, where signing in is to lead; anything else is taken for `/`.",
            examples: ["/in/springfield"]
          })
        )
      },
      success: redirect(302, "To the provider."),
      error: [InvalidRequest, NotFound, RateLimited, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "startSignIn",
        summary: "Begin to sign in",
        description:
          "Sends the browser to the provider (OpenID Connect: authorization code, PKCE, state, nonce). A sign-in is good for 10 minutes, once, in the browser that began it."
      })
    ),
    HttpApiEndpoint.get("callback", "/api/auth/oidc/:provider/callback", {
      params: { provider },
      query: {
        code: fromProvider("What the provider gives for the tokens.", "Zm9yIG9uZSB1c2U"),
        state: fromProvider("Which sign-in it answers.", "b2YgdGhpcyBicm93c2Vy"),
        iss: fromProvider("Which provider answers (RFC 9207).", "https://id.example.gov"),
        error: fromProvider("Why the provider signs nobody in (RFC 6749).", "access_denied")
      },
      success: redirect(303, "Signed in, with a new cookie `cr_session`; to `return_to`."),
      error: [InvalidRequest, Unauthorized, NotFound, Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "completeSignIn",
        summary: "Complete a sign-in",
        description:
          "Where the provider sends the browser back to; never called by hand. An account is made at the first sign-in with a verified e-mail address, and an account with that address is joined."
      })
    )
  )
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  // Added after what counts reads: signing out is never refused for having read too much.
  .add(
    HttpApiEndpoint.post("logout", "/api/auth/logout", {
      success: HttpApiSchema.NoContent,
      error: [Forbidden, Internal, Unavailable]
    })
      .annotateMerge(
        OpenApi.annotations({
          identifier: "logOut",
          summary: "Sign out",
          description:
            "Ends the session of the cookie `cr_session` for good, and clears the cookie; done too without one."
        })
      )
      .middleware(Access)
      .middleware(NamesBadFields)
  )
  .annotateMerge(OpenApi.annotations({ title: "Sign-in", description: "Signing in by the deployment's providers." }))
