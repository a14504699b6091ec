import { Effect, Result, Schema } from "effect"
import { tolerantDecoder } from "../../record/formats/decode.ts"
import { shorten, tidy } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { plainTitle, titleCallsOff } from "./body-of-title.ts"
import { type CalendarReader, isWithin, NoCalendar } from "./calendar.ts"
import { jsonPage } from "./json-page.ts"
import { toldByTitle } from "./recording-title.ts"
import { listedMeeting, soundOf } from "./vendor.ts"
import { dayOf } from "./youtube.ts"

const rows = 100
const mostPages = 50

/** A field of an item, which is a list where it was given twice. */
const text = Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)]))
const one = (field: string | ReadonlyArray<string> | undefined): string =>
  tidy(typeof field === "string" ? field : field?.[0])

const Item = Schema.Struct({
  identifier: Schema.String.check(Schema.isPattern(/^[\w.-]{1,120}$/)),
  title: text,
  /** What the item is dated, by whoever uploaded it. */
  date: text,
  publicdate: Schema.String
})
const decodeItem = tolerantDecoder(Item, ["publicdate"])
const decodeAnswer = Schema.decodeUnknownResult(
  Schema.Struct({
    response: Schema.Struct({ numFound: Schema.Int, docs: Schema.Array(Schema.Unknown) })
  })
)

const collectionOf = (address: string): string | undefined => {
  const { pathname, searchParams } = new URL(address)
  const named = /^\/details\/([\w.-]{1,120})\/?$/.exec(pathname)?.[1]
  return (
    named ?? (pathname === "/services/collection-rss.php" ? (searchParams.get("collection") ?? undefined) : undefined)
  )
}

/**
 * A collection of the Internet Archive (`https://archive.org/details/{collection}`) by its search, newest first. Its
 * recordings can be fetched and shown; the pages of their player lead to the files and captions.
 */
export const internetArchiveCollection: CalendarReader = {
  calendarAt: (address) => {
    const collection = /^(?:www\.)?archive\.org$/i.test(address.hostname) ? collectionOf(address.href) : undefined
    return collection === undefined ? undefined : `https://archive.org/details/${collection}`
  },
  manners: { domains: ["archive.org"], gap: 2 },
  read: Effect.fn("InternetArchiveCollection.read")(function* (source, days, web) {
    const collection = collectionOf(source.url)
    if (collection === undefined) {
      return yield* new NoCalendar({ message: "The address names no collection: https://archive.org/details/NAME." })
    }
    const values: Array<unknown> = []
    for (let page = 1; page <= mostPages; page++) {
      const search = new URL("/advancedsearch.php", source.url)
      const wanted = `collection:(${collection}) AND mediatype:(movies) AND publicdate:[${days.from} TO ${days.to}]`
      for (const [name, value] of [
        ["q", wanted],
        ...["identifier", "title", "date", "publicdate"].map((field) => ["fl[]", field]),
        ...[
          ["sort[]", "publicdate desc"],
          ["rows", String(rows)],
          ["page", String(page)],
          ["output", "json"]
        ]
      ]) {
        search.searchParams.append(name ?? "", value ?? "")
      }
      const answer = decodeAnswer((yield* jsonPage(web, search.href))?.value)
      if (Result.isFailure(answer))
        return yield* new NoCalendar({ message: "The search is not the Internet Archive's." })
      const { docs, numFound } = answer.success.response
      values.push(...docs)
      if (docs.length === 0 || values.length >= numFound) break
    }
    if (values.length === 0) {
      return yield* new NoCalendar({ message: "It is an item and no collection, or one without recordings of a year." })
    }
    const { entries } = yield* soundOf(values.map(decodeItem), "the Internet Archive")
    const meetings = entries.flatMap((item): ReadonlyArray<SourceMeeting> => {
      const title = shorten(one(item.title), 300)
      const published = dayOf(item.publicdate, source.timezone)
      if (published === undefined || titleCallsOff(title)) return []
      const channel = { place: source.place.name, bodies: source.bodies ?? [], name: "" }
      const told = toldByTitle(title, published, channel)
      if (told === undefined) return []
      const { body, doubt } = told
      // Of what has no day in its title, the item's date is a hint for whoever decides.
      const dated = /^\d{4}-\d{2}-\d{2}/.exec(one(item.date))?.[0]
      const date = doubt !== undefined && dated !== undefined && told.date === published ? dated : told.date
      if (!isWithin(days, date)) return []
      const page = `https://archive.org/details/${item.identifier}`
      const plain = plainTitle(title)
      return [
        { ...listedMeeting(source, { key: item.identifier, body, title: plain, date, page, video: page }), doubt }
      ]
    })
    return { meetings, isWhole: false, namesBodies: false, validators: {} }
  })
}
