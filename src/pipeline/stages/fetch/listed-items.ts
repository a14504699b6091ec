import { Effect, Result, Schema } from "effect"
import { agendaOf } from "../../../record/formats/legistar/agenda.ts"
import { attachmentsOf } from "../../../record/formats/legistar/details.ts"
import { readLooseItem } from "../../../record/formats/legistar/event.ts"
import { type ItemVote, NoCalendar } from "../../sources/calendar.ts"
import { jsonPage, logLeftOut } from "../../sources/json-page.ts"
import { itemsReaderOf } from "../../sources/readers.ts"
import type { PoliteWeb, Validators } from "../../web/polite-web.ts"

const decodeList = Schema.decodeUnknownResult(Schema.Array(Schema.Unknown))

/** The most items that are read; the longest known agenda has 828. */
const mostItems = 2000

const noVotes = Effect.succeed<ReadonlyArray<ItemVote>>([])

const eventOf = (events: ReadonlyArray<number>): string | undefined => {
  const [event, ...others] = new Set(events)
  return event === undefined || others.length > 0 ? undefined : String(event)
}

/**
 * The agenda items that a vendor, or else Legistar's Web API, lists for a meeting, in agenda order, with their
 * outcomes, as Legistar lists them, and with their documents; empty if it lists none, undefined if the page has not
 * changed since it had these validators. `site` distinguishes the items of different cities when they have no ids of
 * their own.
 */
export const listedItems = Effect.fn("FetchStage.listedItems")(function* (
  web: PoliteWeb["Service"],
  address: string,
  site: string,
  hasRecording: boolean,
  validators: Validators = {}
) {
  const reader = itemsReaderOf(address)
  if (reader !== undefined) {
    const list = yield* reader.read(web, address, validators)
    return list === undefined ? undefined : { votes: noVotes, ...list, event: undefined, listed: [], attachments: [] }
  }
  const page = yield* jsonPage(web, address, validators)
  if (page === undefined) return undefined
  const list = decodeList(page.value)
  if (Result.isFailure(list)) return yield* new NoCalendar({ message: "The agenda's items are not a list." })
  const read = list.success.slice(0, mostItems).map(readLooseItem)
  const sound = read.flatMap((item) => (Result.isSuccess(item) ? [item.success[1].value] : []))
  if (sound.length < read.length) {
    yield* Effect.logWarning(`${read.length - sound.length} items of the agenda are not in Legistar's shape`)
  }
  const leftOut = read.flatMap((item) => (Result.isSuccess(item) ? item.success[1].leftOut : []))
  yield* logLeftOut(leftOut)
  const { items } = agendaOf(sound, site, hasRecording)
  return {
    /** The number of the event, where all items name the same. */
    event: eventOf(read.flatMap((item) => (Result.isSuccess(item) ? [item.success[0]] : []))),
    listed: sound,
    votes: noVotes,
    attachments: attachmentsOf(sound, site),
    items: items.filter(({ id }, at) => items.findIndex((other) => other.id === id) === at),
    validators: page.validators
  }
})
