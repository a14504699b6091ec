import type { BundleAgendaItem } from "../../../../schema/bundle.ts"
import { agendaItemId } from "../ids.ts"
import { plainText, shorten, tidy } from "../text.ts"
import type { LegistarItem } from "./event.ts"

type AgendaItem = typeof BundleAgendaItem.Type

const longestTitle = 300

const later = Number.MAX_SAFE_INTEGER

/** An item that is not on the agenda comes after those that are, in the order of the minutes. */
const sequence = (item: LegistarItem): number => item.AgendaSequence || later

const inOrder = (items: ReadonlyArray<LegistarItem>): ReadonlyArray<LegistarItem> =>
  items.toSorted(
    (a, b) => sequence(a) - sequence(b) || (a.MinutesSequence || later) - (b.MinutesSequence || later) || a.ID - b.ID
  )

/** The first sentence of a text, or all of it if no sentence ends early. */
const firstSentence = (text: string): string => {
  const end = /(?<=[a-z0-9)”"]{2})[.;](?=\s+[A-Z“"(])/.exec(text)
  return end === null ? text : text.slice(0, end.index + (end[0] === "." ? 1 : 0))
}

const titled = (item: LegistarItem): string | undefined => {
  const matter = tidy(item.MatterName)
  const title = tidy(item.Title)
  const note = [item.AgendaNote, item.MinutesNote, item.ActionText]
    .map((text) => tidy(plainText(text)))
    .find((text) => text !== "")
  const found =
    matter ||
    (title === "" ? undefined : firstSentence(title)) ||
    (note && firstSentence(note)) ||
    tidy(item.ActionName)
  if (found) return shorten(found, longestTitle)
  return item.RollCallFlag === 1 ? "Roll Call" : tidy(item.MatterFile) || undefined
}

const outcomeOf = (item: LegistarItem): string | undefined => {
  const outcome = [tidy(item.ActionName), tidy(item.PassedFlagName)].filter((text) => text !== "").join(": ")
  const tally = tidy(item.Tally)
  return outcome === "" ? undefined : tally === "" ? outcome : `${outcome} (${tally})`
}

/** An item's text beyond its title. */
const descriptionOf = (item: LegistarItem, title: string): string | undefined => {
  const parts = [item.Title, item.AgendaNote, item.MinutesNote].map(plainText)
  const said = [...new Set(parts)].filter((text) => text !== "" && tidy(text) !== title).join("\n\n")
  return said === "" ? undefined : said
}

/**
 * Whether the items' offsets into the recording can be trusted: they must not decrease along the minutes or exceed a
 * day. Some events carry those of another recording.
 */
const soundIndices = (items: ReadonlyArray<LegistarItem>): boolean => {
  const indices = items
    .filter((item) => typeof item.VideoIndex === "number")
    .toSorted((a, b) => (a.MinutesSequence || later) - (b.MinutesSequence || later))
    .map((item) => item.VideoIndex ?? 0)
  return indices.every((second, at) => second >= Math.max(0, indices[at - 1] ?? 0) && second < 24 * 3600)
}

/** The id of an item; `site` tells the items of different cities apart where they have no ids of their own. */
export const itemIdOf = ({ GUID, ID }: LegistarItem, site: string) =>
  agendaItemId("legistar", GUID?.toLowerCase() ?? `${site} ${ID}`)

/** The items of an event: the agenda, and the ids of items without any text. */
interface Agenda {
  readonly items: ReadonlyArray<AgendaItem>
  readonly silent: ReadonlyArray<number>
}

/**
 * The agenda of an event, in order. An item's title is its matter's name, else the first sentence of its text (which
 * may be pages long), else of a note; the description has all of it. An item without a word is kept as "Item" and
 * reported.
 */
export const agendaOf = (items: ReadonlyArray<LegistarItem>, site: string, hasRecording: boolean): Agenda => {
  const timed = hasRecording && soundIndices(items)
  const silent: Array<number> = []
  const agenda = inOrder(items).map((item): AgendaItem => {
    const title = titled(item)
    if (title === undefined) silent.push(item.ID)
    // Some sites put notes such as "~SPONSOR" into the number; the file's own number is what people search for then.
    const given = tidy(item.AgendaNumber)
    const number = /\d/.test(given) ? given : tidy(item.MatterFile) || given
    const matter = tidy(item.MatterFile).slice(0, 200)
    const description = descriptionOf(item, title ?? "")
    const outcome = outcomeOf(item)
    return {
      id: itemIdOf(item, site),
      ...(number === "" ? {} : { number }),
      title: title ?? "Item",
      ...(description === undefined ? {} : { description }),
      ...(outcome === undefined ? {} : { outcome }),
      // In the order of the export, so that it is the same agenda.
      ...(timed && typeof item.VideoIndex === "number" ? { start: item.VideoIndex } : {}),
      identifier: String(item.ID),
      ...(matter === "" ? {} : { matter })
    }
  })
  return { items: agenda, silent }
}
