import { Array as Arr, DateTime, Effect, Option, Result, Stream } from "effect"
import type { BundleAgency, BundleMeeting, BundlePlace } from "../../../../schema/bundle.ts"
import { encodingNote } from "../encoding.ts"
import { type JsonRecord, recordsOf } from "../files.ts"
import { type Format, type Items, mentions, type SourceFile, type SourceFiles } from "../format.ts"
import { meetingId } from "../ids.ts"
import { found, type Item, leftOutOf, type Origin, ReadError, rejected, repeated, warning } from "../item.ts"
import { factsOfTrail, placeOfSite } from "../known-places.ts"
import { type PlaceZone, zoneNotes, zoneOfPlace } from "../place-zone.ts"
import { type MeetingFacts, placeOf } from "../row.ts"
import { tidy } from "../text.ts"
import { agendaOf } from "./agenda.ts"
import { addBody, bodyKey, noBodies, settleBodies } from "./bodies.ts"
import { badAddresses, detailsOf } from "./details.ts"
import {
  isLooseItem,
  type LegistarEvent,
  type LegistarHeader,
  type LegistarItem,
  readEvent,
  readHeader,
  readLooseItem
} from "./event.ts"
import { isCalledOff, type When, whenOf } from "./status.ts"
import { instantIn, titleOf } from "./title.ts"

const flags =
  "give it with --place and --state (and --county and --timezone where they matter), or in meeting.json beside them"

/** The place of an event, by the flags, its own addresses, or `around`: the sidecars and the name of its folder. */
const placeOfEvent = (
  event: LegistarHeader,
  facts: MeetingFacts,
  around: MeetingFacts
): Result.Result<BundlePlace, string> => {
  const addresses = [event.InSiteURL, event.AgendaFile, event.MinutesFile]
  const known: MeetingFacts = addresses.map(placeOfSite).find((place) => place !== undefined) ?? around
  const place = facts.place ?? known.place
  const state = facts.state ?? known.state
  if (place === undefined || state === undefined) return Result.fail(`the events do not name their place; ${flags}`)
  const own = facts.place === undefined ? known : undefined
  const kind = facts.place_kind ?? own?.place_kind
  const county = facts.county ?? own?.county
  return Result.succeed(
    placeOf({
      place,
      state,
      ...(kind === undefined ? {} : { place_kind: kind }),
      ...(county === undefined ? {} : { county })
    })
  )
}

const originOf = ({ file }: SourceFile, { line }: JsonRecord): Origin => ({ file, line })

/**
 * The files are read twice: first for the bodies, whose newest name is known only at the end, then one event at a time.
 * Fails if neither the site nor the flags give the place.
 */
const readLegistar = (files: SourceFiles): Items => {
  const { facts, trail, beside } = files[0]
  const records = Stream.fromIterable(files).pipe(
    Stream.flatMap((file) => Stream.map(recordsOf(file.path), (record) => [file, record] as const))
  )
  return Stream.unwrap(
    Effect.gen(function* () {
      const bodies = noBodies()
      const places = new Map<string, readonly [Origin, BundlePlace]>()
      const loose = new Map<number, Array<LegistarItem>>()
      const events = new Set<number>()
      if (Result.isFailure(beside)) return Stream.make(beside.failure)
      const around = { ...factsOfTrail(trail), ...beside.success.facts }
      let placeless: string | undefined
      yield* Stream.runForEach(records, ([file, record]) =>
        Effect.sync(() => {
          if (Result.isFailure(record.value)) return
          const value = record.value.success
          if (isLooseItem(value)) {
            const item = readLooseItem(value)
            if (Result.isFailure(item)) return
            const [event, read] = item.success
            loose.set(event, [...(loose.get(event) ?? []), read.value])
            return
          }
          const header = readHeader(value)
          if (Result.isFailure(header)) return
          events.add(header.success.ID)
          const place = placeOfEvent(header.success, facts, around)
          if (Result.isFailure(place)) {
            placeless ??= place.failure
            return
          }
          const origin = originOf(file, record)
          if (!places.has(place.success.slug)) places.set(place.success.slug, [origin, place.success])
          addBody(bodies, header.success, place.success, origin)
        })
      )
      if (places.size === 0 && placeless !== undefined) {
        return yield* new ReadError({ path: files[0].path, problem: placeless })
      }
      const known = settleBodies(bodies)
      const given = facts.timezone ?? around.timezone
      const zones = new Map<string, PlaceZone>()
      const zoneItems: Array<Item> = []
      for (const [slug, [origin, { name, ...rest }]] of places) {
        const zone: PlaceZone | undefined =
          given === undefined
            ? yield* zoneOfPlace({ ...rest, place: name, place_kind: rest.kind })
            : { timezone: given }
        if (zone === undefined) continue
        zones.set(slug, zone)
        zoneItems.push(...zoneNotes(origin, zone.note))
      }
      const now = yield* DateTime.now
      const seen = new Map<string, Origin>()

      const meetingOf = (event: LegistarEvent, agency: BundleAgency, timezone: string, when: When, key: string) => {
        const startsAt = instantIn(when, timezone)
        const today = DateTime.setZoneNamed(now, timezone).pipe(
          Option.getOrElse(() => now),
          DateTime.formatIsoDate
        )
        const isToCome = startsAt === undefined ? when.date > today : Date.parse(startsAt) > DateTime.toEpochMillis(now)
        const items = [...(event.Items ?? []), ...(loose.get(event.ID) ?? [])]
        const hasRecording = tidy(event.VideoPath) !== "" || tidy(String(event.Media ?? "")) !== ""
        const agenda = agendaOf(items, agency.places[0] ?? "", hasRecording)
        const meeting: BundleMeeting = {
          type: "meeting",
          id: meetingId("legistar", key),
          agency: agency.slug,
          title: titleOf(agency.name, tidy(event.Comment)),
          date: when.date,
          ...(startsAt === undefined ? {} : { starts_at: startsAt }),
          timezone,
          identifier: String(event.ID),
          status: isCalledOff(event) ? "cancelled" : isToCome ? "upcoming" : "held",
          ...detailsOf(event, items, agency.places[0] ?? ""),
          agenda_items: agenda.items,
          chapters: []
        }
        return { meeting, silent: agenda.silent }
      }

      const itemsOf = ([file, record]: readonly [SourceFile, JsonRecord]): ReadonlyArray<Item> => {
        const origin = originOf(file, record)
        if (Result.isFailure(record.value)) return [rejected(origin, "", record.value.failure)]
        const value = record.value.success
        if (isLooseItem(value)) {
          const item = readLooseItem(value)
          if (Result.isFailure(item)) return [rejected(origin, item.failure.field, item.failure.message)]
          const [event, { leftOut }] = item.success
          return events.has(event)
            ? leftOutOf(origin, leftOut)
            : [rejected(origin, "EventItemEventId", `event ${event} is in none of the files beside it`)]
        }
        const read = readEvent(value)
        if (Result.isFailure(read)) return [rejected(origin, read.failure.field, read.failure.message)]
        const { value: event, leftOut } = read.success
        const place = placeOfEvent(event, facts, around)
        if (Result.isFailure(place)) return [rejected(origin, "InSiteURL", place.failure)]
        const when = whenOf(event)
        if (when === undefined) return [rejected(origin, "Date", "is missing")]
        const timezone = zones.get(place.success.slug)?.timezone
        if (timezone === undefined)
          return [rejected(origin, "", `${place.success.state} is not a state; correct --state`)]
        const body = known.get(bodyKey(event, place.success))
        if (body === undefined) return [rejected(origin, "BodyName", "is missing")]
        const key = event.GUID?.toLowerCase() ?? `${place.success.slug} ${event.ID}`
        const earlier = seen.get(key)
        if (earlier !== undefined)
          return [repeated(origin, `repeats the event of line ${earlier.line} of ${earlier.file}`)]
        seen.set(key, origin)
        const { meeting, silent } = meetingOf(event, body.agency, timezone, when, key)
        return [
          ...leftOutOf(origin, [...leftOut, ...badAddresses(event)]),
          ...(silent.length === 0
            ? []
            : [warning(origin, "Items", `${silent.join(", ")} have no text; each is kept as "Item"`)]),
          found(origin, meeting)
        ]
      }

      const directory = [
        ...beside.success.notes,
        ...zoneItems,
        ...[...places.values()].map(([origin, place]) => found(origin, place)),
        ...new Map([...known.values()].map(({ origin, agency }) => [agency.slug, found(origin, agency)])).values()
      ]
      return Stream.concat(
        Stream.fromIterable(directory),
        records.pipe(
          Stream.map(([file, record]) => [
            ...encodingNote(originOf(file, record), record.encoding),
            ...itemsOf([file, record])
          ]),
          Stream.flattenIterable
        )
      )
    })
  )
}

/**
 * Legistar events: NDJSON or JSON arrays, in the names of the Web API or of archives made from it, with items inside
 * the events or in files of their own beside them.
 */
export const legistar: Format = {
  name: "legistar",
  about: "Legistar events, one per line or as its Web API gives them",
  isRecord: (record) =>
    "EventId" in record || "EventItemEventId" in record || ("BodyID" in record && "Items" in record),
  isHead: (head) => mentions(head, "EventId", "EventItemEventId", "BodyID"),
  together: (files) => (Arr.isReadonlyArrayNonEmpty(files) ? [files] : []),
  read: readLegistar
}
