import { DateTime, Effect, Result } from "effect"
import type { SourceKind } from "../../../schema/agent/directory.ts"
import type { BundleAgendaItem } from "../../../schema/bundle.ts"
import { CalendarDate } from "../../../schema/primitives.ts"
import { decoder, type Fault, type Tolerated } from "../../record/formats/decode.ts"
import { agendaItemId, meetingId } from "../../record/formats/ids.ts"
import { detailsOf } from "../../record/formats/legistar/details.ts"
import { whenOf } from "../../record/formats/legistar/status.ts"
import { instantIn } from "../../record/formats/legistar/title.ts"
import { shorten, tidy, webAddress } from "../../record/formats/text.ts"
import { dateOfTitle } from "../../record/formats/title-date.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { fold } from "../../text/fold.ts"
import { bodyOfTitle, plainTitle, titleCallsOff } from "./body-of-title.ts"
import { type Days, NoCalendar } from "./calendar.ts"
import { logLeftOut } from "./json-page.ts"

/** A meeting as a vendor's page has it: wall-clock times, and addresses that may be relative. */
interface Listed {
  /** What identifies the meeting at its customer's site. */
  readonly key: string
  readonly body: string
  /** The vendor's id for the body, if that is what the body is named by. */
  readonly bodyId?: string | undefined
  readonly title: string
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** The local time, such as "6:00 PM" or "18:00"; midnight and words are no time. */
  readonly time?: string | undefined
  readonly isCancelled?: boolean | undefined
  readonly location?: string | null | undefined
  /** Where a note may say that it is cancelled, and how to join. */
  readonly note?: string | null | undefined
  readonly page?: string | undefined
  readonly agenda?: string | undefined
  readonly minutes?: string | undefined
  readonly video?: string | undefined
  readonly captions?: string | undefined
  readonly items?: string | undefined
  readonly documents?: ReadonlyArray<{ readonly title: string; readonly url: string | undefined }> | undefined
}

/** An address of a page, whole; undefined if it is none. */
const absolute = (base: string, href: string | null | undefined): string | undefined =>
  href === undefined || href === null || href.trim() === "" ? undefined : webAddress(URL.parse(href.trim(), base)?.href)

const decodeDate = decoder(CalendarDate)

const occasion = /^(?:(?:regular|special|called|emergency|rescheduled|adjourned|virtual)\s+)+(?=\S+\s)/i

/** A category of bodies rather than a body. */
const isGroup = (name: string) =>
  /^(?:(?:city|county|town)\s+)?(?:(?:boards|commissions|committees|authorities|other)\b[\s,&]*(?:and\s+)?)+$/i.test(
    name
  )

/** The body that a vendor's title names, the occasion before it left out; undefined if it names none. */
export const bodyIn = (title: string): string | undefined => {
  const body = bodyOfTitle(plainTitle(title).replace(occasion, ""))
  return body === undefined || isGroup(body) ? undefined : body
}

/** The first US date in a text (8/4/2026, 03/31/26, Aug 4, 2026), as `YYYY-MM-DD`. */
export const usDate = (text: string): string | undefined => {
  const [, month = "", day = "", year = ""] = /(?<!\d)(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?!\d)/.exec(text) ?? []
  if (year === "") return dateOfTitle(tidy(text))
  const date = decodeDate(`${year.length === 2 ? "20" : ""}${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`)
  return Result.isSuccess(date) ? date.success : undefined
}

/** The time of day in a text, such as "6:00 PM"; undefined if it says none. */
export const clockIn = (text: string): string | undefined => /\b\d{1,2}:\d{2}\s*[ap]\.?\s*m\b/i.exec(text)?.[0]

const isOfDay = /^\d{2}:\d{2}/

/** A vendor's meeting as sources list meetings. Its id is of its kind, the customer's host and its key. */
export const listedMeeting = (
  source: { readonly kind: SourceKind; readonly url: string; readonly timezone: string },
  listed: Listed
): SourceMeeting => {
  const { key, date, time = "", documents = [] } = listed
  const [body, title] = [shorten(tidy(listed.body), 200), plainTitle(tidy(listed.title))]
  const when = whenOf(
    isOfDay.test(time) ? { Date: `${date}T${time.slice(0, 5)}:00` } : { Date: `${date}T00:00:00`, Time: time }
  )
  const site = URL.parse(source.url)?.host ?? source.url
  const at = (address: string | undefined) => absolute(source.url, address) ?? null
  const { attachments: _, ...details } = detailsOf({
    ...{ ID: 0, BodyName: body, Location: listed.location ?? null, Comment: listed.note ?? null },
    ...{ InSiteURL: at(listed.page), AgendaFile: at(listed.agenda), MinutesFile: at(listed.minutes) },
    VideoPath: at(listed.video)
  })
  const attachments = documents.flatMap(({ title, url }) => {
    const address = absolute(source.url, url)
    return address === undefined ? [] : [{ title, url: address }]
  })
  return {
    ...details,
    id: meetingId(source.kind, site, key),
    external_id: key,
    source_body: body,
    body_external_id: listed.bodyId,
    title: shorten(title === "" ? `${body} Meeting` : title, 300),
    date,
    starts_at: when === undefined ? undefined : instantIn(when, source.timezone),
    timezone: source.timezone,
    is_cancelled: listed.isCancelled === true || titleCallsOff(tidy(listed.title)) || titleCallsOff(tidy(listed.note)),
    captions_url: absolute(source.url, listed.captions),
    items_url: absolute(source.url, listed.items),
    ...(attachments.length === 0 ? {} : { attachments })
  }
}

type AgendaItem = typeof BundleAgendaItem.Type

/** A number as agendas print it, without its last full stop. */
const numberOf = (text: string | null | undefined): string =>
  tidy(text)
    .replace(/[.)\s]+$/, "")
    .replace(/^\(/, "")

/** An item of a vendor's agenda; undefined if it says nothing. `site` is the customer's host. */
export const listedItem = (
  [kind, site, key]: readonly [kind: SourceKind, site: string, key: string],
  said: {
    readonly number?: string | null | undefined
    readonly title: string
    readonly description?: string | null | undefined
    readonly outcome?: string | null | undefined
    readonly start?: number | undefined
    /** By what the matter is known that it is about. */
    readonly matter?: string | undefined
  }
): AgendaItem | undefined => {
  const [number, whole] = [numberOf(said.number), tidy(said.title)]
  if (whole === "") return undefined
  const title = shorten(whole, 300)
  const description = tidy(said.description) || (title === whole ? "" : whole)
  const outcome = tidy(said.outcome)
  return {
    id: agendaItemId(kind, site, key),
    ...(number === "" || number.length > 40 ? {} : { number }),
    title,
    ...(description === "" || description === title ? {} : { description }),
    ...(outcome === "" ? {} : { outcome }),
    ...(said.start === undefined ? {} : { start: said.start }),
    ...(said.matter === undefined ? {} : { matter: said.matter })
  }
}

/**
 * The numbers of items, each with its heading's before it where its own does not tell it from others: a letter, or
 * numbers that begin anew under each heading.
 */
export const numbersUnder = (
  rows: ReadonlyArray<{ readonly heading: string; readonly number: string }>
): ReadonlyArray<string> => {
  const own = rows.flatMap(({ heading, number }) => (heading === "" || number === "" ? [] : [numberOf(number)]))
  const isAnew = new Set(own).size < own.length
  return rows.map(({ heading, number }) => {
    const [above, mine] = [numberOf(heading), numberOf(number)]
    return above !== "" && mine !== "" && (isAnew || /^[a-z]+$/i.test(mine)) ? `${above}.${mine}` : mine
  })
}

/** Keys for items without ids: their titles, counted where they repeat, so that one that is added changes no other. */
export const titleKeys = (titles: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return titles.map((title) => {
    const key = fold(title)
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    return count === 1 ? key : `${key} ${count}`
  })
}

/** The most items of one agenda that are read; the longest known one has 828. */
const mostItems = 2000

/**
 * A list of items without those that are listed twice. Seconds that run backwards belong to another recording, and are
 * left out; zero is where players put what has no place.
 */
export const itemList = (listed: ReadonlyArray<AgendaItem | undefined>): ReadonlyArray<AgendaItem> => {
  const items = listed.flatMap((item) => (item === undefined ? [] : [item])).slice(0, mostItems)
  const starts = items.flatMap(({ start }) => (start === undefined || start === 0 ? [] : [start]))
  const isSound = starts.every((start, at) => start >= (starts[at - 1] ?? 0) && start < 24 * 3600)
  return items
    .filter(({ id }, at) => items.findIndex((other) => other.id === id) === at)
    .map(({ start, ...item }) =>
      isSound && start !== undefined && start > 0 ? { ...item, start: Math.round(start) } : item
    )
}

/**
 * The sound entries of a vendor's list, with what was left out logged. Fails if none is: then it is no calendar of this
 * vendor.
 */
export const soundOf = Effect.fnUntraced(function* <A>(
  read: ReadonlyArray<Result.Result<Tolerated<A>, Fault>>,
  vendor: string
) {
  const sound = read.flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
  const broken = read.length - sound.length
  if (broken > 0) {
    if (sound.length === 0) {
      return yield* new NoCalendar({ message: `The calendar's meetings are not in ${vendor}'s shape.` })
    }
    yield* Effect.logWarning(`${broken} meetings of the calendar are not in ${vendor}'s shape`)
  }
  yield* logLeftOut(sound.flatMap(({ leftOut }) => leftOut).slice(0, 20))
  return { entries: sound.map(({ value }) => value), isWhole: broken === 0 }
})

/** Whether only the past is asked for: then what a crawl has settled already is read too. */
export const isPast = ({ to }: Pick<Days, "to">, now: DateTime.Utc): boolean => to <= DateTime.formatIsoDate(now)

/**
 * The first day whose recordings a reading looks for one by one: some days ago, because older ones are on record, or
 * the first of all where only the past is asked for.
 */
export const lookedAtFrom = (now: DateTime.Utc, { from, to }: Days, daysBack: number): string =>
  isPast({ to }, now) ? from : DateTime.formatIsoDate(DateTime.subtract(now, { days: daysBack }))
