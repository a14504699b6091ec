import { DateTime, Effect, Option } from "effect"
import { shorten, tidy } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { plainTitle, titleCallsOff } from "./body-of-title.ts"
import { type CalendarReader, isWithin, NoCalendar } from "./calendar.ts"
import { parsedXml } from "./html-page.ts"
import { validatorsOf } from "./json-page.ts"
import { youTubePage } from "./links.ts"
import { toldByTitle } from "./recording-title.ts"
import { listedMeeting } from "./vendor.ts"

const longestFeed = 4_000_000
const feed = "https://www.youtube.com/feeds/videos.xml"

/** The local day of an instant. */
export const dayOf = (instant: string, timezone: string): string | undefined =>
  Option.getOrUndefined(
    DateTime.make(instant).pipe(
      Option.flatMap((at) => DateTime.setZoneNamed(at, timezone)),
      Option.map((at) => DateTime.formatIsoDate(at))
    )
  )

/**
 * The feed of a YouTube channel or playlist: its fifteen newest recordings, which stay where they are. A title says
 * which meeting one is of, and the day in it counts; the day of publishing is later, or before a stream.
 */
export const youTubeChannel: CalendarReader = {
  calendarAt: ({ hostname, pathname, searchParams }) => {
    if (!/^(?:www\.|m\.)?youtube\.com$/i.test(hostname)) return undefined
    const isFeed = pathname === "/feeds/videos.xml"
    const channel = /^\/channel\/(UC[\w-]{22})/.exec(pathname)?.[1] ?? (isFeed ? searchParams.get("channel_id") : null)
    if (channel !== null) return `${feed}?channel_id=${channel}`
    const list =
      pathname === "/playlist" ? searchParams.get("list") : isFeed ? searchParams.get("playlist_id") : undefined
    return list ? `${feed}?playlist_id=${list}` : undefined
  },
  manners: { domains: ["youtube.com"], gap: 2 },
  read: Effect.fn("YouTubeChannel.read")(function* (source, days, web) {
    const page = yield* web.page(source.url, {
      accept: "application/atom+xml, text/xml;q=0.9, application/xml;q=0.8",
      types: /^(application|text)\/([\w.-]+\+)?xml\b/i,
      bytes: longestFeed,
      validators: validatorsOf(source)
    })
    if (page === undefined) return undefined
    const $ = yield* parsedXml(page.body)
    if ($("feed > yt\\:channelId, feed > yt\\:playlistId, entry > yt\\:videoId").length === 0) {
      return yield* new NoCalendar({ message: "The page is not the feed of a YouTube channel." })
    }
    const name = tidy($("feed > title").first().text())
    const meetings = $("entry")
      .toArray()
      .flatMap((element): ReadonlyArray<SourceMeeting> => {
        const entry = $(element)
        const video = tidy(entry.children("yt\\:videoId").text())
        const title = shorten(tidy(entry.children("title").text()), 300)
        const published = dayOf(entry.children("published").text(), source.timezone)
        if (!/^[\w-]{11}$/.test(video) || published === undefined) return []
        // A notice that there is no meeting is no recording of one.
        if (titleCallsOff(title)) return []
        const channel = { place: source.place.name, bodies: source.bodies ?? [], name }
        const told = toldByTitle(title, published, channel)
        if (told === undefined || !isWithin(days, told.date)) return []
        const watch = youTubePage(video)
        const { body, date, doubt } = told
        return [
          {
            ...listedMeeting(source, { key: video, body, title: plainTitle(title), date, page: watch, video: watch }),
            doubt
          }
        ]
      })
    return { meetings, isWhole: false, namesBodies: false, validators: page.validators }
  })
}
