import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { mostPeriods, Trends, TrendsQuery } from "../../schema/trends.ts"
import { Internal, Unavailable } from "./errors/classes.ts"
import { CachesResponses, NamesBadFields, PublicRead } from "./middleware.ts"
import { Cached, Surface } from "./surface.ts"

export const TrendsGroup = HttpApiGroup.make("trends")
  .add(
    HttpApiEndpoint.get("read", "/api/trends", {
      query: TrendsQuery.fields,
      success: Trends,
      error: [Internal, Unavailable]
    })
      // Whether a period is over depends on the day.
      .annotate(Cached, "minute")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "readTrends",
          summary: "Count over time",
          description: `Counts the held meetings that match each search, by year, quarter or month, beside all meetings held, under the filters of browse. Counts are exact: browse with \`exact=1\`, \`date_from\` and \`date_to\` finds the same meetings. At most ${mostPeriods} periods. \`/trends.csv\` has the same as a table.`
        })
      )
  )
  .annotate(Surface, "public")
  .middleware(CachesResponses)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Trends", description: "How often something comes up, over time." }))
