import { DateTime, Effect } from "effect"
import type { CrawlableSource } from "../../services/sources/crawls.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import type { Survey } from "../../services/sources/past-estimate.ts"
import type { PoliteWeb } from "../web/polite-web.ts"
import type { Days } from "./calendar.ts"
import { pastDaysOf, readCalendar } from "./read-calendar.ts"

/** The days of one reading that ends with a day, at most so many and none before `from`. */
export const windowBefore = (from: string, to: string, days: number): Days => {
  const first = DateTime.formatIsoDate(DateTime.subtract(DateTime.makeUnsafe(to), { days: days - 1 }))
  return { from: first > from ? first : from, to }
}

/** The readings that the days of a source's past take, the newest first. */
export const readingsOf = (from: string, to: string, days: number): ReadonlyArray<Days> => {
  const readings: Array<Days> = []
  for (let end = to; end >= from; ) {
    const reading = windowBefore(from, end, days)
    readings.push(reading)
    end = DateTime.formatIsoDate(DateTime.subtract(DateTime.makeUnsafe(reading.from), { days: 1 }))
  }
  return readings
}

const days = ({ from, to }: Days) =>
  (DateTime.toEpochMillis(DateTime.makeUnsafe(to)) - DateTime.toEpochMillis(DateTime.makeUnsafe(from))) / 86_400_000 + 1

/** The files of a meeting, each of which is a request. */
const filesOf = ({ agenda_url, items_url, captions_url, video_url }: SourceMeeting): number =>
  [agenda_url, items_url, captions_url, video_url].filter((address) => address !== undefined).length

/**
 * Estimates what the past of a source has: reads its newest and its oldest days, and takes those between for as many.
 * Keeps nothing.
 */
export const surveyPast = Effect.fn("Calendar.surveyPast")(function* (
  source: CrawlableSource,
  asked: Days,
  web: PoliteWeb["Service"]
) {
  let requests = 0
  const counting: PoliteWeb["Service"] = {
    ...web,
    page: (...args) => {
      requests += 1
      return web.page(...args)
    }
  }
  const readings = readingsOf(asked.from, asked.to, pastDaysOf(source))
  const [newest, oldest] = [readings[0], readings.at(-1)]
  const read = newest === oldest ? [newest] : [newest, oldest]
  const found: Array<SourceMeeting> = []
  let length = 0
  for (const reading of read) {
    if (reading === undefined) continue
    const list = yield* readCalendar({ ...source, etag: null, last_modified: null }, counting, reading)
    found.push(...(list?.meetings ?? []).filter(({ date }) => date >= reading.from && date <= reading.to))
    length += days(reading)
  }
  const times = days(asked) / length
  const filmed = found.filter(({ video_url }) => video_url !== undefined)
  const scaled = (count: number) => Math.round(count * times)
  return {
    readings: readings.length,
    meetings: scaled(found.length),
    recordings: scaled(filmed.length),
    captioned: scaled(filmed.filter(({ captions_url }) => captions_url !== undefined).length),
    requests:
      Math.round((requests * readings.length) / read.length) +
      scaled(found.reduce((sum, meeting) => sum + filesOf(meeting), 0))
  } satisfies Survey
})
