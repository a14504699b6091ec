import { DateTime, Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Environment } from "../../../layers/config/config.ts"
import { apiCatalog, authText, llmsText, robotsText, securityText } from "../../pages/discovery.ts"
import { publicPage } from "./show.ts"

const catalogPath = "/.well-known/api-catalog"

/** Discovery files for programs (spec section 1). They are the same for everyone. */
export const DiscoveryRoutes = Layer.unwrap(
  Effect.map(Environment, ({ baseUrl, contactEmail }) => {
    const file = (
      path: `/${string}`,
      contentType: string,
      text: string,
      headers: Readonly<Record<string, string>> = {}
    ) =>
      HttpRouter.add(
        "GET",
        path,
        HttpServerResponse.text(text, { contentType, headers: { "cache-control": publicPage, ...headers } })
      )
    return Layer.mergeAll(
      file("/llms.txt", "text/plain; charset=utf-8", llmsText(baseUrl)),
      file("/robots.txt", "text/plain; charset=utf-8", robotsText(baseUrl)),
      Option.match(contactEmail, {
        // Without a contact there is nothing that the file may say.
        onNone: () => Layer.empty,
        onSome: (contact) =>
          HttpRouter.add(
            "GET",
            "/.well-known/security.txt",
            Effect.map(DateTime.now, (now) =>
              HttpServerResponse.text(securityText(baseUrl, contact, now), {
                contentType: "text/plain; charset=utf-8",
                headers: { "cache-control": publicPage }
              })
            )
          )
      }),
      file("/auth.md", "text/markdown; charset=utf-8", authText(baseUrl)),
      // A HEAD request gets a link to the catalog (RFC 9727, section 2).
      file(
        catalogPath,
        'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
        JSON.stringify(apiCatalog(baseUrl)),
        { link: `<${baseUrl}${catalogPath}>; rel="api-catalog"` }
      )
    )
  })
)
