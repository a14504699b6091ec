import { DateTime, Effect, Option } from "effect"
import type { parseFeed } from "feedsmith"
import { meetingId } from "../../record/formats/ids.ts"
import { shorten, tidy, webAddress } from "../../record/formats/text.ts"
import { dateOfTitle } from "../../record/formats/title-date.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { bodyOfEntry, plainTitle, titleCallsOff } from "./body-of-title.ts"
import { type CalendarReader, isWithin, NoCalendar } from "./calendar.ts"
import { faultsOfAddresses, logLeftOut, validatorsOf } from "./json-page.ts"
import { linkedIn, longestDescription } from "./links.ts"

const longestFeed = 8_000_000

/** A file that an entry names. */
interface File {
  readonly url?: string | undefined
  readonly type?: string | undefined
}

/** An entry of a feed in any of the formats. */
interface Entry {
  readonly id: string | undefined
  readonly title: string | undefined
  readonly link: string | undefined
  /** Plain or HTML. */
  readonly description: string | undefined
  readonly published: string | undefined
  readonly files: ReadonlyArray<File>
}

interface Media {
  readonly contents?: ReadonlyArray<File> | undefined
  readonly groups?: ReadonlyArray<{ readonly contents?: ReadonlyArray<File> | undefined }> | undefined
}

/** Media RSS, whose files may be in groups, one for each quality. */
const filesOf = (media: Media | undefined): ReadonlyArray<File> => [
  ...(media?.contents ?? []),
  ...(media?.groups ?? []).flatMap(({ contents }) => contents ?? [])
]

interface Feed {
  readonly title: string
  readonly entries: ReadonlyArray<Entry>
}

const feedOf = (parse: typeof parseFeed, text: string): Feed => {
  const parsed = parse(text)
  switch (parsed.format) {
    case "rss":
      return {
        title: parsed.feed.title ?? "",
        entries: (parsed.feed.items ?? []).map(({ guid, title, link, description, pubDate, enclosures, media }) => ({
          id: guid?.value ?? link,
          title,
          link,
          description,
          published: pubDate,
          files: [...(enclosures ?? []), ...filesOf(media)]
        }))
      }
    case "atom":
      return {
        title: parsed.feed.title?.value ?? "",
        entries: (parsed.feed.entries ?? []).map((entry) => {
          const { id, title, links = [], summary, content, published, updated, media } = entry
          const link = links.find(({ rel }) => rel === undefined || rel === "alternate")?.href
          const enclosed = links.filter(({ rel }) => rel === "enclosure").map(({ href, type }) => ({ url: href, type }))
          const files = [...enclosed, ...filesOf(media)]
          const description = summary?.value ?? content?.value
          return { id: id ?? link, title: title?.value, link, description, published: published ?? updated, files }
        })
      }
    default:
      return { title: "", entries: [] }
  }
}

/** A recording that can be fetched as a file, rather than a page that plays one. */
const videoOf = ({ files }: Entry): string | undefined => {
  const first = (types: RegExp, names: RegExp) =>
    files
      .filter(({ url = "", type = "" }) => types.test(type) || names.test(url))
      .map(({ url }) => webAddress(url))
      .find((address) => address !== undefined)
  // Some record the sound alone.
  return first(/^video\//i, /\.(mp4|m4v|mov|webm|mkv)([?#]|$)/i) ?? first(/^audio\//i, /\.(mp3|m4a)([?#]|$)/i)
}

const sourceMeeting = (
  entry: Entry,
  { url, timezone, place }: Parameters<CalendarReader["read"]>[0],
  feed: string
): SourceMeeting | undefined => {
  const title = shorten(tidy(entry.title), 300)
  const body = bodyOfEntry(title, [feed.slice(0, 300)], place.name)
  const published = entry.published === undefined ? Option.none() : DateTime.make(entry.published)
  const day = Option.getOrUndefined(
    Option.map(
      Option.flatMap(published, (at) => DateTime.setZoneNamed(at, timezone)),
      (at) => DateTime.formatIsoDate(at)
    )
  )
  const date = dateOfTitle(plainTitle(title), day) ?? day
  if (body === undefined || date === undefined || entry.id === undefined) return undefined
  const { agenda, minutes, film } = linkedIn((entry.description ?? "").slice(0, longestDescription), [])
  return {
    id: meetingId("rss", url, entry.id),
    external_id: entry.id,
    source_body: body,
    title: plainTitle(title) || `${body} Meeting`,
    date,
    timezone,
    is_cancelled: titleCallsOff(title),
    source_url: webAddress(entry.link),
    agenda_url: agenda,
    minutes_url: minutes,
    video_url: videoOf(entry) ?? film
  }
}

/**
 * Channels of recordings: RSS or Atom, with enclosures or Media RSS. A meeting's day is the one in its title, else the
 * day it was published. A feed lists only the newest entries, so a missing one has not been withdrawn.
 */
export const rssCalendar: CalendarReader = {
  pastDays: 0,
  read: Effect.fn("RssCalendar.read")(function* (source, days, web) {
    const page = yield* web.page(source.url, {
      accept: "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8",
      types: /^(application|text)\/([\w.-]+\+)?xml\b/i,
      bytes: longestFeed,
      validators: validatorsOf(source)
    })
    if (page === undefined) return undefined
    // Loaded when the first feed is read, because it is a sixth of a worker's modules.
    const { parseFeed } = yield* Effect.promise(() => import("feedsmith"))
    const { title, entries } = yield* Effect.try({
      try: () => feedOf(parseFeed, page.body.toString("utf8")),
      catch: () => new NoCalendar({ message: "The calendar is neither RSS nor Atom." })
    })
    for (const { link } of entries) yield* logLeftOut(faultsOfAddresses({ link }))
    const meetings = entries
      .map((entry) => sourceMeeting(entry, source, title))
      .filter((meeting) => meeting !== undefined)
      .filter(({ date }) => isWithin(days, date))
    return { meetings, isWhole: false, namesBodies: false, validators: page.validators }
  })
}
