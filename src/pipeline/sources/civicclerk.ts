import { DateTime, Effect, Option, Result, Schema } from "effect"
import type { BundleAgendaItem } from "../../../schema/bundle.ts"
import { tolerantDecoder } from "../../record/formats/decode.ts"
import { tidy, webAddress } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import type { PoliteWeb } from "../web/polite-web.ts"
import { type CalendarReader, type ItemVote, NoCalendar } from "./calendar.ts"
import { textOfHtml } from "./html-page.ts"
import { flag, jsonPage, text, whole } from "./json-page.ts"
import { youTubePage } from "./links.ts"
import { type Motion, motionOf, votesBy } from "./motion.ts"
import { bodyIn, itemList, listedItem, listedMeeting, lookedAtFrom, soundOf } from "./vendor.ts"

const mostPages = 60
/** The most meetings whose media are asked for in one reading, and the days back that they are: those to be fetched. */
const mostMedia = 40
const daysOfMedia = 31

const Page = Schema.Struct({ value: Schema.Array(Schema.Unknown), "@odata.nextLink": text })
const decodePage = Schema.decodeUnknownResult(Page)

const Event = Schema.Struct({
  id: Schema.Int,
  eventName: text,
  eventDescription: text,
  /** Local time, although it ends in "Z". */
  startDateTime: Schema.String,
  isPublished: text,
  isDeleted: flag,
  agendaId: whole,
  hasAgenda: flag,
  hasMedia: flag,
  categoryId: whole,
  categoryName: text,
  mediaSourcePathMp4: text,
  mediaStreamPath: text,
  externalMediaUrl: text,
  youtubeVideoId: text,
  eventLocation: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ name: text, address1: text, address2: text, city: text }))
  ),
  publishedFiles: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ fileId: Schema.Int, type: text, name: text })))
  )
})
type Event = typeof Event.Type
const decodeEvent = tolerantDecoder(Event, ["startDateTime"])

const Media = Schema.Struct({
  videoUrl: text,
  externalVideoUrl: text,
  closedCaptionUrl: text,
  closedCaptionTracks: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Struct({ file: text })))),
  eventBookmarks: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(
        Schema.Struct({
          agendaObjectItemId: whole,
          markerTimeStart: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
          markerTitle: text
        })
      )
    )
  )
})
const decodeMedia = tolerantDecoder(Media)

const names = Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String)))
const Vote = Schema.Struct({
  ...{ motionName: text, initiatedBy: text, secondedBy: text },
  passFail: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.Int, Schema.String]))),
  ...{ yesVotes: names, noVotes: names, abstainVotes: names, absentVotes: names }
})

const Item = Schema.Struct({
  id: Schema.Int,
  agendaObjectItemName: text,
  agendaObjectItemOutlineNumber: text,
  agendaObjectItemNumber: text,
  agendaObjectItemDescription: text,
  isSection: whole,
  minutesItemVotes: Schema.optionalKey(Schema.NullOr(Schema.Array(Vote))),
  childItems: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Unknown)))
})
type Item = typeof Item.Type
const decodeItem = tolerantDecoder(Item)
const decodeAgenda = Schema.decodeUnknownResult(
  Schema.Struct({ items: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Unknown))) })
)

const apiHost = /^([a-z0-9-]+)\.api\.civicclerk\.com$/i
const anyHost = /^([a-z0-9-]+)(?:\.(?:portal|api))?\.civicclerk\.com$/i

/** The portal of the customer whose API has this address: people read there, and the API wants it as `Origin`. */
const portalOf = (address: string): string | undefined => {
  const tenant = apiHost.exec(URL.parse(address)?.hostname ?? "")?.[1]
  return tenant === undefined ? undefined : `https://${tenant}.portal.civicclerk.com`
}

const headersOf = (address: string) => {
  const portal = portalOf(address)
  return portal === undefined ? {} : { headers: { origin: portal, referer: `${portal}/` } }
}

const eventsAddress = (origin: string, { from, to }: { readonly from: string; readonly to: string }) => {
  const address = new URL("/v1/Events", origin)
  // Its clock is local, and so are the days.
  const range = `startDateTime ge ${from}T00:00:00Z and startDateTime le ${to}T23:59:59Z`
  address.searchParams.set("$filter", range)
  address.searchParams.set("$orderby", "startDateTime asc, eventName asc")
  return address.href.replaceAll("+", "%20")
}

const fileOf = ({ publishedFiles }: Event, origin: string, type: RegExp): string | undefined => {
  const file = publishedFiles?.find((one) => type.test(tidy(one.type)))
  return file && `${origin}/v1/Meetings/GetMeetingFileStream(fileId=${file.fileId},plainText=false)`
}

/** A recording as a file, else a player's page; a path without a host is only for streaming. */
const videoOf = (event: Event): string | undefined =>
  [event.mediaSourcePathMp4, event.mediaStreamPath, event.externalMediaUrl].map(webAddress).find(Boolean) ??
  (event.youtubeVideoId ? youTubePage(event.youtubeVideoId) : undefined)

const mediaOf = Effect.fnUntraced(function* (web: PoliteWeb["Service"], origin: string, event: string) {
  const address = `${origin}/v1/EventsMedia/${event}`
  const page = yield* jsonPage(web, address, {}, headersOf(address))
  return Result.getOrUndefined(Result.map(decodeMedia(page?.value), ({ value }) => value))
})

const captionsOf = (media: typeof Media.Type | undefined) =>
  [...(media?.closedCaptionTracks ?? []).map(({ file }) => file), media?.closedCaptionUrl].map(webAddress).find(Boolean)

const sourceMeeting = (
  event: Event,
  source: Parameters<typeof listedMeeting>[0],
  origin: string
): SourceMeeting | undefined => {
  const [name, category] = [tidy(event.eventName), tidy(event.categoryName)]
  const ofCategory = bodyIn(category)
  const body = ofCategory ?? bodyIn(name) ?? (category || name)
  const [date = "", time = ""] = event.startDateTime.split("T")
  if (body === "" || !/^\d{4}-\d{2}-\d{2}$/.test(date) || date < "1901") return undefined
  const { name: hall, address1, address2, city } = event.eventLocation ?? {}
  const place = [hall, address1, address2, city].map(tidy).filter((part) => part !== "")
  const portal = portalOf(origin)
  return listedMeeting(source, {
    key: String(event.id),
    body,
    bodyId: ofCategory !== undefined && event.categoryId ? String(event.categoryId) : undefined,
    title: name,
    ...{ date, time },
    location: place.join(", "),
    note: event.eventDescription,
    page: portal && `${portal}/event/${event.id}/overview`,
    agenda: fileOf(event, origin, /^agenda$/i),
    minutes: fileOf(event, origin, /^minutes$/i),
    video: videoOf(event),
    // The server never sees what follows the "#"; the items' seconds are under the event.
    items: event.hasAgenda && event.agendaId ? `${origin}/v1/Meetings/${event.agendaId}#event=${event.id}` : undefined,
    documents: [{ title: "Agenda packet", url: fileOf(event, origin, /packet/i) }]
  })
}

/** Where nothing but a note stands in place of an agenda. */
const isPlaceholder = (title: string) => /^select\b.*\bto view\b/i.test(title)

/** The motions on an item, in order. */
const motionsOn = ({ minutesItemVotes }: Item): ReadonlyArray<Motion> =>
  (minutesItemVotes ?? []).map((vote) => {
    const passed = String(vote.passFail ?? "")
    return motionOf({
      wording: tidy(vote.motionName),
      resolution: /^(?:1$|pass)/i.test(passed) ? "Pass" : /^(?:0$|fail)/i.test(passed) ? "Fail" : "",
      ...{ mover: tidy(vote.initiatedBy), seconder: tidy(vote.secondedBy) },
      sides: [
        ["yes", (vote.yesVotes ?? []).map(tidy)],
        ["no", (vote.noVotes ?? []).map(tidy)],
        ["abstain", (vote.abstainVotes ?? []).map(tidy)],
        ["absent", (vote.absentVotes ?? []).map(tidy)]
      ]
    })
  })

/**
 * CivicClerk's API (`https://{customer}.api.civicclerk.com/v1/Events`), which follows its own links from page to page.
 * Recordings' captions are asked for meeting by meeting, and only of those that come on record.
 */
export const civicClerkCalendar: CalendarReader = {
  calendarAt: ({ hostname, pathname }) => {
    const tenant = anyHost.exec(hostname)?.[1]
    return tenant === undefined || tenant === "www" || /\.ashx?$/i.test(pathname)
      ? undefined
      : `https://${tenant.toLowerCase()}.api.civicclerk.com/v1/Events`
  },
  pastDays: 31,
  manners: { domains: ["civicclerk.com"], gap: 2.7 },
  read: Effect.fn("CivicClerkCalendar.read")(function* (source, days, web) {
    const { origin } = new URL(source.url)
    const values: Array<unknown> = []
    let next: string | undefined = eventsAddress(origin, days)
    for (let at = 0; at < mostPages && next !== undefined; at++) {
      const page: { readonly value: unknown } | undefined = yield* jsonPage(web, next, {}, headersOf(next))
      const listed = decodePage(page?.value)
      if (Result.isFailure(listed)) return yield* new NoCalendar({ message: "The calendar is not CivicClerk's." })
      values.push(...listed.success.value)
      const link: string | undefined = webAddress(listed.success["@odata.nextLink"])
      // The link has this server's name, or that of a server behind it.
      next = link === undefined ? undefined : new URL(new URL(link).pathname + new URL(link).search, origin).href
    }
    const { entries, isWhole } = yield* soundOf(values.map(decodeEvent), "CivicClerk")
    const shown = entries.filter(
      (event) => event.isDeleted !== true && !/unpublished|draft/i.test(event.isPublished ?? "")
    )
    const meetings = shown.flatMap((event) => {
      const meeting = sourceMeeting(event, source, origin)
      return meeting === undefined ? [] : [{ event, meeting }]
    })
    const oldest = lookedAtFrom(yield* DateTime.now, days, daysOfMedia)
    const filmed = meetings
      .filter(({ event, meeting }) => event.hasMedia === true && meeting.date >= oldest)
      .toReversed()
      .slice(0, mostMedia)
    const media = new Map<string, typeof Media.Type | undefined>()
    for (const { meeting } of filmed) {
      const found = yield* Effect.option(mediaOf(web, origin, meeting.external_id))
      media.set(meeting.external_id, Option.getOrUndefined(found))
    }
    return {
      meetings: meetings.map(({ meeting }): SourceMeeting => {
        const found = media.get(meeting.external_id)
        const video = meeting.video_url ?? webAddress(found?.videoUrl) ?? webAddress(found?.externalVideoUrl)
        return { ...meeting, video_url: video, captions_url: captionsOf(found) }
      }),
      isWhole: isWhole && next === undefined,
      namesBodies: true,
      validators: {}
    }
  }),
  items: {
    isAt: ({ pathname }) => /^\/v1\/Meetings\/\d+$/.test(pathname),
    read: Effect.fn("CivicClerkCalendar.items")(function* (web, address, validators) {
      const { origin, host, hash } = new URL(address)
      const page = yield* jsonPage(web, address.replace(/#.*/, ""), validators, headersOf(address))
      if (page === undefined) return undefined
      const agenda = decodeAgenda(page.value)
      if (Result.isFailure(agenda)) return yield* new NoCalendar({ message: "The agenda is not CivicClerk's." })
      const event = /^#event=(\d+)$/.exec(hash)?.[1]
      const media = event === undefined ? undefined : yield* Effect.option(mediaOf(web, origin, event))
      const marks = (media && Option.getOrUndefined(media))?.eventBookmarks ?? []
      const starts = new Map(marks.flatMap((mark) => [[mark.agendaObjectItemId, mark.markerTimeStart ?? 0] as const]))
      const plain = yield* textOfHtml
      const items: Array<typeof BundleAgendaItem.Type | undefined> = []
      const votes: Array<ItemVote> = []
      /** Sections are listed only where nothing is under them, or where one vote is on all that is, as on consent. */
      const walk = (list: ReadonlyArray<unknown>, above: string) => {
        for (const one of list) {
          const decoded = decodeItem(one)
          if (Result.isFailure(decoded)) continue
          const item = decoded.success.value
          const outline = tidy(item.agendaObjectItemOutlineNumber).replace(/[.)]+$/, "")
          const number = [above, outline].filter((part) => part !== "").join(".")
          const children = item.childItems ?? []
          const title = plain(item.agendaObjectItemName ?? "")
          const motions = motionsOn(item)
          if ((item.isSection !== 1 || children.length === 0 || motions.length > 0) && !isPlaceholder(title)) {
            const listed = listedItem(["civicclerk", host, String(item.id)], {
              number: number === "" ? item.agendaObjectItemNumber : number,
              title,
              description: plain(item.agendaObjectItemDescription ?? ""),
              outcome: motions.at(-1)?.outcome,
              start: starts.get(item.id)
            })
            items.push(listed)
            if (listed !== undefined) votes.push(...votesBy(motions, listed.id))
          }
          walk(children, number)
        }
      }
      walk(agenda.success.items ?? [], "")
      return { items: itemList(items), votes: Effect.succeed(votes), validators: page.validators }
    })
  }
}
