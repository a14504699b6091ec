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
import { ErrorPages } from "./surface.ts"

const provider = Schema.String.annotate({
  description: "The id of a sign-in provider, as listed by `GET /api/auth/session`.",
  examples: ["local"]
})

const fromProvider = (description: string, example: string) =>
  Schema.optionalKey(Schema.String.annotate({ description, examples: [example] }))

const redirect = (code: 302 | 303, description: string) =>
  HttpApiSchema.Empty(code).annotate({ description: `${description} The address is in \`Location\`.` })

/**
 * Spec 4.8: signing in and out. A browser gets a page when something fails on its way, everyone else the error shape.
 */
export const AuthGroup = HttpApiGroup.make("auth")
  .add(
    HttpApiEndpoint.get("session", "/api/auth/session", {
      success: Session,
      error: [Internal, Unavailable]
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getSession",
        summary: "Get the session",
        description:
          "Returns the account behind the `cr_session` cookie, if there is one, and the sign-in providers of this deployment. To sign someone in, send the browser to a provider's `start_url`, with `return_to`."
      })
    ),
    HttpApiEndpoint.get("start", "/api/auth/oidc/:provider/start", {
      params: { provider },
      query: {
        return_to: Schema.optionalKey(
          Schema.String.annotate({
            description: "The path on this origin to return to after signing in. Anything else is treated as `/`.",
            examples: ["/in/springfield"]
          })
        )
      },
      success: redirect(302, "Redirects to the provider."),
      error: [InvalidRequest, NotFound, RateLimited, Internal, Unavailable]
    })
      .annotate(ErrorPages, true)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "startSignIn",
          summary: "Start signing in",
          description:
            "Redirects the browser to the provider (OpenID Connect with authorization code, PKCE, state and nonce). A sign-in must be completed within 10 minutes in the browser that started it, and works only once."
        })
      ),
    HttpApiEndpoint.get("callback", "/api/auth/oidc/:provider/callback", {
      params: { provider },
      query: {
        code: fromProvider("The authorization code to exchange for tokens.", "Zm9yIG9uZSB1c2U"),
        state: fromProvider("The sign-in that the provider is responding to.", "b2YgdGhpcyBicm93c2Vy"),
        iss: fromProvider("The provider that is responding (RFC 9207).", "https://id.example.gov"),
        error: fromProvider("Why the provider did not sign anyone in (RFC 6749).", "access_denied")
      },
      success: redirect(303, "Signed in: sets a new `cr_session` cookie and redirects to `return_to`."),
      error: [InvalidRequest, Unauthorized, NotFound, Internal, Unavailable]
    })
      .annotate(ErrorPages, true)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "completeSignIn",
          summary: "Complete a sign-in",
          description:
            "The provider sends the browser here; it is never called by hand. Signing in for the first time with a verified e-mail address creates an account, or joins the account that already has that address."
        })
      )
  )
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  // Added after the middleware that counts reads: signing out is never refused for having read too much.
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
            "Ends the session behind the `cr_session` cookie and clears the cookie. It succeeds even if there is no session."
        })
      )
      .middleware(Access)
      .middleware(NamesBadFields)
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Sign-in", description: "Signing in and out with the deployment's providers." })
  )
