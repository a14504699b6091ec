import { Effect, Layer } from "effect"
import { Web } from "../../../layers/web.ts"
import { PoliteWeb } from "../../../src/pipeline/web/polite-web.ts"
import { Robots } from "../../../src/pipeline/web/robots.ts"
import { HostPace } from "../../../src/services/sources/host-pace.ts"

/**
 * The web in which each of these names is a server of the test's, whatever the scheme: vendors are known by their
 * names, and nobody else is reached.
 */
export const namedWeb = (names: ReadonlyMap<string, string>) =>
  PoliteWeb.layerNoDeps.pipe(
    Layer.provide([
      Layer.effect(
        Web,
        Effect.map(Web, ({ open }) => ({
          open: (url, ...how) =>
            open(new URL(`${url.pathname}${url.search}`, names.get(url.host) ?? "http://[::1]:1"), ...how)
        }))
      ).pipe(Layer.provide(Web.layerWith({ isAllowed: () => true, resolve: async () => [], userAgent: "test" }))),
      HostPace.layerEvery(0.001),
      Robots.layerUnasked
    ])
  )
