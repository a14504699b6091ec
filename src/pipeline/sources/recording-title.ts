import { dateOfTitle } from "../../record/formats/title-date.ts"
import { isMeeting } from "../../text/body-name/body-name.ts"
import { fold } from "../../text/fold.ts"
import { bodyOfEntry, bodyOfTitle, plainTitle, withoutDays } from "./body-of-title.ts"

/** The most days between a meeting and its recording's coming online, where the title leaves out the year. */
const daysLate = 30
/** The most days before it that a stream is announced. */
const daysEarly = 60

const daysBetween = (one: string, other: string): number => (Date.parse(one) - Date.parse(other)) / 86_400_000

const isPart = (title: string): boolean =>
  /\b(?:part|pt\.?|segment)\s*(?:\d|[ivx]+\b|one\b|two\b|three\b)|\b\d\s+of\s+\d\b|\(\d\/\d\)/i.test(title)

/** The words of a name that tell a body from the others of its place. */
const tellingWords = (name: string, place: string): string =>
  fold(name)
    .replace(fold(place), " ")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "" && !/^(?:the|of|and|city|town|village|county|borough|township|meeting)$/.test(word))
    .toSorted()
    .join(" ")

interface Channel {
  readonly place: string
  /** The names of the bodies that it belongs to; empty if its titles alone say. */
  readonly bodies: ReadonlyArray<string>
  /** The channel's name or its playlist's. */
  readonly name: string
}

/** Whose meeting a title says it recorded; undefined if it is none of the channel's bodies, or no meeting at all. */
const bodyOf = (title: string, { place, bodies, name }: Channel): string | undefined => {
  if (bodies.length === 0) return bodyOfEntry(title, [name], place)
  const said = bodyOfTitle(title)
  if (said === undefined) return bodies.length === 1 && isMeeting(withoutDays(title)) ? bodies[0] : undefined
  const same = bodies.filter((body) => tellingWords(body, place) === tellingWords(said, place))
  return same.length === 1 ? same[0] : undefined
}

/** A recording as its title tells it. */
interface Told {
  readonly body: string
  /** The day of the meeting; of one in doubt, the day that it came online. */
  readonly date: string
  /** Why an operator has to say which meeting it is. */
  readonly doubt: string | undefined
}

/**
 * What the title of a recording says of its meeting: the body and the day. `published` is the day on which it came
 * online, which is days after the meeting, or before a stream, and so is never taken for the meeting's. Undefined if it
 * is of no meeting.
 */
export const toldByTitle = (title: string, published: string, channel: Channel): Told | undefined => {
  const body = bodyOf(title, channel)
  if (body === undefined) return undefined
  const dated = dateOfTitle(plainTitle(title))
  const near = dated ?? dateOfTitle(plainTitle(title), published)
  const late = near === undefined ? 0 : daysBetween(published, near)
  const doubt =
    near === undefined
      ? "Its title does not say the day of the meeting."
      : isPart(title)
        ? "Its title says that it is a part of a recording."
        : late < -daysEarly || (dated === undefined && Math.abs(late) > daysLate)
          ? "The day in its title is far from the day on which it came online."
          : undefined
  return { body, date: near ?? published, doubt }
}
