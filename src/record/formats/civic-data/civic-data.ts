import { Array as Arr, Effect, Result, Stream } from "effect"
import { encodingNote } from "../encoding.ts"
import { type JsonRecord, recordsOf } from "../files.ts"
import { type Format, type Items, isJsonObject, mentions, type SourceFile, type SourceFiles } from "../format.ts"
import { found, type Item, leftOutOf, type Origin, onceWarning, ReadError, rejected } from "../item.ts"
import { factsOfTrail } from "../known-places.ts"
import { rowItems } from "../manifest.ts"
import { type MeetingFacts, placeOf } from "../row.ts"
import { factsOr } from "../sidecar.ts"
import { tidy } from "../text.ts"
import { billItems, billSlug, type VoteKey } from "./bills.ts"
import { emptyDirectory, placeOfDivision, sessionName, settleDirectory } from "./directory.ts"
import { eventRow } from "./events.ts"
import { personItems, seatItems } from "./people.ts"
import { decode, idOf, isPopolo, kindOf, type Thing, thingsOf, type Vote } from "./things.ts"
import { billOf, type KnownBill, keyOf, voteItems } from "./votes.ts"

/** A thing with where it stands. */
interface Located extends Thing {
  readonly origin: Origin
}

const originOf = ({ file }: SourceFile, { line }: JsonRecord): Origin => ({ file, line })

/** The fault of a record that is none of the things. */
const unknown = "is no person, organization, post, membership, bill, vote or event of Popolo or Open Civic Data"

/** A field of a thing, by its path in the document. */
const within = ({ at }: Thing, field: string) => [at, field].filter((part) => part !== "").join(".")

/** Notices of a thing name its place in the document. */
const placed = (thing: Thing, items: ReadonlyArray<Item>): ReadonlyArray<Item> =>
  items.map((item) =>
    "field" in item.result ? { ...item, result: { ...item.result, field: within(thing, item.result.field) } } : item
  )

const divisionOf = ({ value }: Thing): unknown => {
  const { jurisdiction, jurisdiction_id } = value
  return isJsonObject(jurisdiction) ? jurisdiction.id : (jurisdiction_id ?? jurisdiction ?? value.division_id)
}

/**
 * The files are read several times: first for who and what the records refer to, then for the meetings, the bills and
 * the votes, so that each comes after what it names. Fails if neither the flags, nor a file beside them, nor a
 * jurisdiction in the records give the place.
 */
const readCivicData = (files: SourceFiles): Items => {
  const [{ path, file, facts, trail, beside }] = files
  const records = Stream.fromIterable(files).pipe(
    Stream.flatMap((one) => Stream.map(recordsOf(one.path), (record) => ({ ...record, origin: originOf(one, record) })))
  )
  const things = records.pipe(
    Stream.map(({ value, origin }) =>
      Result.isFailure(value) || !isJsonObject(value.success)
        ? []
        : thingsOf(value.success).map((thing): Located => ({ ...thing, origin }))
    ),
    Stream.flattenIterable
  )
  const of = (kind: Thing["kind"]) => Stream.filter(things, (thing) => thing.kind === kind)

  return Stream.unwrap(
    Effect.gen(function* () {
      const directory = emptyDirectory()
      const seats: Array<Located> = []
      const people: Array<Located> = []
      const votes: Array<Vote> = []
      const billNames: Array<readonly [key: string, identifier: string, session: unknown]> = []
      const faults: Array<Item> = []
      const kinds = new Set<Thing["kind"]>()
      let division: MeetingFacts | undefined
      const read = (thing: Located) => {
        kinds.add(thing.kind)
        division ??= placeOfDivision(divisionOf(thing))
        const keep = <A>(
          result: Result.Result<{ readonly value: A }, { field: string; message: string }>,
          take: (value: A) => void
        ) => {
          if (Result.isSuccess(result)) take(result.success.value)
          else faults.push(...placed(thing, [rejected(thing.origin, result.failure.field, result.failure.message)]))
        }
        switch (thing.kind) {
          case "person":
            people.push(thing)
            return keep(decode.person(thing.value), (one) => directory.people.push(one))
          case "organization":
            return keep(decode.organization(thing.value), (one) => {
              directory.organizations.set(idOf(one) ?? one.name, one)
              for (const post of one.posts ?? []) directory.posts.set(idOf(post) ?? "", post)
            })
          case "post":
            return keep(decode.post(thing.value), (one) => directory.posts.set(idOf(one) ?? "", one))
          case "membership":
            return seats.push(thing)
          case "area":
            return keep(decode.area(thing.value), (one) => directory.areas.set(idOf(one) ?? "", tidy(one.name)))
          case "period":
            return keep(decode.period(thing.value), ({ start_date: start, end_date: end, ...one }) =>
              directory.periods.set(idOf(one) ?? "", { start, end })
            )
          case "vote":
            return keep(decode.vote(thing.value), ({ votes: _, counts: _1, ...one }) => votes.push(one))
          case "bill":
            return keep(decode.bill(thing.value), (one) => {
              const identifier = tidy(one.identifier)
              const used = directory.sessions.get(identifier) ?? new Set<string>()
              directory.sessions.set(identifier, used.add(sessionName(one.legislative_session)))
              for (const key of [idOf(one), identifier]) {
                if (key !== undefined) billNames.push([key, identifier, one.legislative_session])
              }
            })
        }
      }
      yield* Stream.runForEach(records, ({ value, encoding, origin }) =>
        Effect.sync(() => {
          faults.push(...encodingNote(origin, encoding))
          if (Result.isFailure(value)) return void faults.push(rejected(origin, "", value.failure))
          const found = isJsonObject(value.success) ? thingsOf(value.success) : []
          if (found.length === 0) faults.push(onceWarning(origin, "", unknown))
          for (const thing of found) read({ ...thing, origin })
        })
      )
      const around = { ...factsOfTrail(trail), ...division, ...factsOr(beside) }
      const known = { ...around, ...facts }
      if (known.place === undefined || known.state === undefined) {
        return yield* new ReadError({
          path,
          problem:
            "the records do not name their place; give it with --place and --state, or in meeting.json beside them"
        })
      }
      const place = placeOf({ ...known, place: known.place, state: known.state })
      const settled = settleDirectory(directory, place)
      const bills = new Map<string, KnownBill>()
      for (const [key, identifier, session] of billNames) {
        bills.set(key, { slug: billSlug(settled, identifier, session), identifier: identifier.slice(0, 200) })
      }
      const keys = new Map<string, Array<VoteKey>>()
      for (const vote of votes) {
        const [slug, key] = [bills.get(billOf(vote) ?? "")?.slug, keyOf(vote, settled)]
        if (slug !== undefined && key !== undefined) keys.set(slug, [...(keys.get(slug) ?? []), key])
      }
      const alike = new Map<string, number>()

      const itemsOf = (thing: Located): ReadonlyArray<Item> => {
        const { origin, value } = thing
        switch (thing.kind) {
          case "person": {
            const one = decode.person(value)
            if (Result.isFailure(one)) return []
            const { memberships } = one.success.value
            return [
              ...leftOutOf(origin, one.success.leftOut),
              ...personItems(one.success.value, settled, origin),
              ...(memberships ?? []).flatMap((seat) => seatItems(seat, settled, origin, one.success.value))
            ]
          }
          case "membership": {
            const one = decode.membership(value)
            return Result.isFailure(one)
              ? [rejected(origin, one.failure.field, one.failure.message)]
              : [...leftOutOf(origin, one.success.leftOut), ...seatItems(one.success.value, settled, origin)]
          }
          case "bill": {
            const one = decode.bill(value)
            if (Result.isFailure(one)) return []
            const slug = billSlug(settled, tidy(one.success.value.identifier), one.success.value.legislative_session)
            const items = billItems(one.success.value, keys.get(slug) ?? [], settled, origin)
            return [...leftOutOf(origin, one.success.leftOut), ...items]
          }
          case "vote": {
            const one = decode.vote(value)
            if (Result.isFailure(one)) return []
            const bill = bills.get(billOf(one.success.value) ?? "")
            return [
              ...leftOutOf(origin, one.success.leftOut),
              ...voteItems(one.success.value, bill, settled, origin, alike)
            ]
          }
          default:
            return []
        }
      }
      const first: Origin = { file, line: 1 }
      const events = of("event").pipe(
        Stream.map(({ origin, value }) => ({
          line: origin.line,
          value: Result.mapError(eventRow(value, known), ({ field, message }) => `${field} ${message}`.trim()),
          encoding: undefined
        }))
      )
      const some = (kind: Thing["kind"], stream: Items): ReadonlyArray<Items> => (kinds.has(kind) ? [stream] : [])
      const each = (stream: typeof things): Items =>
        Stream.flattenIterable(Stream.map(stream, (thing) => placed(thing, itemsOf(thing))))
      const parts: ReadonlyArray<Items> = [
        Stream.fromIterable([
          ...faults,
          found(first, place),
          ...settled.bodies.map((body) => found(first, body)),
          ...people.flatMap((thing) => placed(thing, itemsOf(thing))),
          ...seats.flatMap((thing) => placed(thing, itemsOf(thing)))
        ]),
        ...some("event", rowItems({ path, file }, events)),
        ...some("bill", each(of("bill"))),
        ...some("vote", each(of("vote")))
      ]
      return Stream.flatten(Stream.fromIterable(parts))
    })
  )
}

const together: Format["together"] = (files) => (Arr.isReadonlyArrayNonEmpty(files) ? [files] : [])

/** Objects of Open Civic Data, one per line or file: what its API, Councilmatic, City Scrapers and Pupa write. */
export const ocd: Format = {
  name: "ocd",
  about: "Open Civic Data: people, bodies, bills, votes and events, also of Councilmatic and City Scrapers",
  isRecord: (record) => kindOf(record) !== undefined,
  isHead: (head) =>
    mentions(head, "_type") && /"ocd-(event|person|organization|bill|vote|membership|post)\//.test(head),
  together,
  read: readCivicData
}

/** A Popolo document: people, bodies, memberships and motions with their vote events. */
export const popolo: Format = {
  name: "popolo",
  about: "Popolo: people, organizations, memberships, posts, motions and vote events in one document",
  isRecord: isPopolo,
  isHead: (head) => mentions(head, "persons", "motions", "vote_events"),
  read: readCivicData
}
