import { Effect, Layer } from "effect"
import { dbDies } from "../../../layers/db/db.ts"
import { sourceNotFound } from "../../services/failures.ts"
import { Settings } from "../../services/settings/settings.ts"
import { NoCalendarThere } from "../../services/sources/address-check.ts"
import { Crawls } from "../../services/sources/crawls.ts"
import { PastEstimates, PastRefused } from "../../services/sources/past-estimate.ts"
import { SourcePast } from "../../services/sources/source-past.ts"
import { isPassing } from "../web/failure.ts"
import { asSource, PoliteWeb } from "../web/polite-web.ts"
import { pastDaysOf } from "./read-calendar.ts"
import { readers, VendorsLive } from "./readers.ts"
import { surveyPast } from "./survey.ts"

/** How long an operator waits for an estimate, in seconds: the slowest vendors are asked every ten. */
const patience = 90

export const PastEstimatesLive = Layer.effect(
  PastEstimates,
  Effect.gen(function* () {
    const crawls = yield* Crawls
    const past = yield* SourcePast
    const settings = yield* Settings
    const web = yield* PoliteWeb

    const checked = Effect.fnUntraced(function* ({
      source: id,
      from,
      to
    }: Parameters<PastEstimates["Service"]["of"]>[0]) {
      const source = yield* dbDies(crawls.source(id))
      if (source === undefined) return yield* sourceNotFound(id)
      if (from > to) return yield* new PastRefused({})
      if (pastDaysOf(source) === 0) return yield* new PastRefused({ withoutPast: source.kind })
      return source
    })

    const of = Effect.fn("PastEstimates.of")(function* (asked: Parameters<PastEstimates["Service"]["of"]>[0]) {
      const source = yield* checked(asked)
      const survey = yield* surveyPast(source, asked, asSource(web, source)).pipe(
        Effect.mapError((failure) => {
          const isUnread = failure._tag === "WebFailed" && isPassing(failure)
          return new NoCalendarThere({ message: failure.message, isUnread })
        }),
        Effect.timeoutOrElse({
          duration: `${patience} seconds`,
          orElse: () => {
            const message = `It did not answer within ${patience} seconds.`
            return Effect.fail(new NoCalendarThere({ message, isUnread: true }))
          }
        })
      )
      return {
        survey,
        rates: yield* past.rates(source.id),
        gap: readers[source.kind].manners?.gap ?? 1,
        speech: yield* settings.get("prices.SpeechMicros")
      }
    })

    return { check: (asked) => Effect.asVoid(checked(asked)), of }
  })
).pipe(
  Layer.provide([Crawls.layer, Settings.layer, SourcePast.layer, PoliteWeb.layer.pipe(Layer.provide(VendorsLive))])
)
