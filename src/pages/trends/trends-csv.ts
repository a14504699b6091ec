import { stringify } from "csv-stringify/sync"
import { Effect } from "effect"
import { TrendsQuery } from "../../../schema/trends.ts"
import { Trends } from "../../services/search/trends.ts"
import type { LoadFile } from "../feeds/feed-file.ts"
import { queryDecoder } from "../query.ts"

const decode = queryDecoder(TrendsQuery)

const columns = [
  ...["q", "agency", "place", "period", "from", "to"],
  ...["count", "meetings", "value", "period_meetings", "period_with_transcript", "complete"]
]

/**
 * `/trends.csv`: a row for each period of each series (RFC 4180, with a header). A cell that a spreadsheet would take
 * for a formula is quoted by an apostrophe.
 */
export const loadTrendsTable: LoadFile<Trends> = Effect.fn("TrendsTable.load")(function* ({ query }) {
  const { series, periods } = yield* (yield* Trends).read(yield* decode(query))
  const rows = series.flatMap(({ q, agency, place, points }) =>
    points.flatMap(({ count, meetings, value }, at) => {
      const own = periods[at]
      if (own === undefined) return []
      const { period, from, to, complete } = own
      const names = [q, agency?.slug, place?.slug, period, from, to]
      return [[...names, count, meetings, value, own.meetings, own.with_transcript, String(complete)]]
    })
  )
  return {
    contentType: "text/csv; charset=utf-8; header=present",
    text: stringify([columns, ...rows], { escape_formulas: true, record_delimiter: "windows" })
  }
})
