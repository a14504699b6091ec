import { Effect, Layer } from "effect"
import { AddressCheck, NoCalendarThere } from "../../services/sources/address-check.ts"
import { splitAddress } from "../../text/address-credentials.ts"
import { isPassing } from "../web/failure.ts"
import { asSource, PoliteWeb } from "../web/polite-web.ts"
import { findSources } from "./find-source.ts"
import { readCalendar } from "./read-calendar.ts"
import { VendorsLive } from "./readers.ts"

/** How long an operator waits for the answer. */
const patience = 15

/** Reads the calendar at an address as its crawl would, but for seconds only, and keeps nothing of it. */
export const AddressCheckLive = Layer.effect(
  AddressCheck,
  Effect.gen(function* () {
    const web = yield* PoliteWeb

    const check = Effect.fn("AddressCheck.check")(function* ({
      kind,
      url: typed,
      place
    }: Parameters<AddressCheck["Service"]["check"]>[0]) {
      const source = { id: "", kind, ...splitAddress(typed), place, etag: null, last_modified: null }
      const list = yield* readCalendar(source, asSource(web, source)).pipe(
        Effect.mapError((failure) => {
          const isUnread = failure._tag === "WebFailed" && isPassing(failure)
          return new NoCalendarThere({ message: failure.message, isUnread })
        }),
        Effect.timeoutOrElse({
          duration: `${patience} seconds`,
          orElse: () =>
            Effect.fail(
              new NoCalendarThere({ message: `It did not answer within ${patience} seconds.`, isUnread: true })
            )
        })
      )
      return list?.meetings.length ?? 0
    })

    const find = Effect.fn("AddressCheck.find")((typed: string) => {
      const source = splitAddress(typed)
      return findSources(source.url, asSource(web, source))
    })

    return { check, find }
  })
).pipe(Layer.provide(PoliteWeb.layer.pipe(Layer.provide(VendorsLive))))
