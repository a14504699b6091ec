import { DateTime, Option, Result, Schema } from "effect"
import { tolerantDecoder } from "../decode.ts"
import { plainText, tidy, webAddress } from "../text.ts"

const optional = Schema.optionalKey
const text = optional(Schema.NullOr(Schema.String))
const list = <S extends Schema.Constraint>(schema: S) => optional(Schema.NullOr(Schema.Array(schema)))

const Link = Schema.Struct({ url: text, note: text, title: text })

/** An event of Open Civic Data, as City Scrapers and Councilmatic write it. */
const Event = Schema.Struct({
  _id: text,
  name: Schema.String,
  status: text,
  start_time: optional(Schema.NullOr(Schema.String)),
  start_date: text,
  timezone: text,
  all_day: optional(Schema.NullOr(Schema.Boolean)),
  location: optional(Schema.NullOr(Schema.Struct({ name: text }))),
  documents: list(Schema.Struct({ note: text, url: text, links: list(Link) })),
  media: list(Schema.Struct({ note: text, links: list(Link) })),
  links: list(Link),
  sources: list(Link),
  participants: list(Schema.Struct({ name: text, note: text, entity_type: text })),
  agenda: list(
    Schema.Struct({
      description: text,
      order: optional(Schema.Unknown),
      related_entities: list(Schema.Struct({ entity_type: text, entity_name: text, name: text }))
    })
  ),
  extras: optional(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)))
})

const decode = tolerantDecoder(Event, ["name", "start_time", "start_date"])

const states: Readonly<Record<string, string>> = {
  confirmed: "",
  tentative: "",
  passed: "",
  canceled: "cancelled",
  cancelled: "cancelled"
}

/** The row of a manifest that an event is. Its zone is one of Effect's; times without an offset are local there. */
const rowOf = (event: typeof Event.Type, facts: Readonly<Record<string, unknown>>) => {
  const start = event.start_time ?? event.start_date ?? ""
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/.test(start)
  const zone = event.timezone ?? (typeof facts.timezone === "string" ? facts.timezone : undefined)
  const at =
    hasOffset || zone === undefined
      ? Option.none<DateTime.Zoned>()
      : DateTime.makeZoned(`${start}Z`, { timeZone: zone, adjustForTimeZone: true })
  const instant = hasOffset ? DateTime.make(start) : Option.map(at, DateTime.toUtc)
  const host = (event.participants ?? []).find(({ note }) => note === "host") ?? event.participants?.[0]
  const agency = event.extras?.["cityscrapers.org/agency"]
  const files = [
    ...(event.documents ?? []).flatMap(({ note, url, links }) => [
      { note, url },
      ...(links ?? []).map((link) => ({ note, url: link.url }))
    ]),
    ...(event.links ?? []).map(({ note, title, url }) => ({ note: note ?? title, url }))
  ]
  const named = (words: RegExp) => webAddress(files.find(({ note }) => words.test(note ?? ""))?.url)
  const video = webAddress(event.media?.[0]?.links?.[0]?.url) ?? named(/video|recording/i)
  const status = states[event.status?.toLowerCase() ?? ""]
  const items = (event.agenda ?? []).flatMap(({ description, related_entities }) => {
    const title = tidy(plainText(description))
    const bill = (related_entities ?? []).find(({ entity_type }) => entity_type === "bill")
    const matter = tidy(bill?.entity_name ?? bill?.name).slice(0, 200)
    // A vote on the bill names the item by the bill's number.
    return title === ""
      ? []
      : [{ title: title.slice(0, 1000), ...(matter === "" ? {} : { identifier: matter, matter }) }]
  })
  return {
    ...facts,
    body: tidy(host?.name) || (typeof agency === "string" ? agency : undefined) || facts.body || tidy(event.name),
    title: tidy(event.name),
    date: start.slice(0, 10),
    ...(event.all_day === true || Option.isNone(instant)
      ? {}
      : { starts_at: DateTime.formatIso(instant.value).replace(".000Z", "Z") }),
    ...(zone === undefined ? {} : { timezone: zone }),
    ...(status ? { status } : {}),
    ...(tidy(event.location?.name) === "" ? {} : { location: tidy(event.location?.name) }),
    ...Object.fromEntries(
      Object.entries({
        source_url: webAddress(event.sources?.[0]?.url),
        agenda_url: named(/agenda/i),
        minutes_url: named(/minutes/i),
        video_url: video
      }).filter(([, address]) => address !== undefined)
    ),
    ...(items.length === 0 ? {} : { items })
  }
}

/** The row of a manifest that an event is, with what is known about its place. */
export const eventRow = (value: unknown, facts: Readonly<Record<string, unknown>>) => {
  const { columns: _, ...known } = facts
  return Result.map(decode(value), (event) => rowOf(event.value, known))
}
