import { DateTime, Option } from "effect"
import { shorten } from "../text.ts"
import type { When } from "./status.ts"

const isShouted = (text: string): boolean => text.length < 60 && text === text.toUpperCase() && /[A-Z]{3}/.test(text)

const inTitleCase = (text: string): string =>
  text.toLowerCase().replace(/(?<![a-z’'])[a-z]/g, (letter) => letter.toUpperCase())

/** The comment gives the kind of meeting and its co-hosts; without one there is only the body's name. */
export const titleOf = (body: string, comment: string): string => {
  const said = isShouted(comment) ? inTitleCase(comment) : comment
  if (said === "") return `${body} Meeting`
  const joint = /^joint(?:ly)?\s+(?:meeting\s+|hearing\s+)?with\s+(.+)/i.exec(said)?.[1]
  return shorten(joint === undefined ? `${body}: ${said}` : `${body} Meeting, jointly with ${joint}`, 300)
}

/** The instant of a day and a clock time in a zone. */
export const instantIn = (when: When, timezone: string): string | undefined => {
  if (when.instant !== undefined || when.minutes === undefined) return when.instant
  const [year = 0, month = 1, day = 1] = when.date.split("-").map(Number)
  const parts = { year, month, day, hour: Math.floor(when.minutes / 60), minute: when.minutes % 60 }
  return Option.getOrUndefined(
    Option.map(DateTime.makeZoned(parts, { timeZone: timezone, adjustForTimeZone: true }), (zoned) =>
      DateTime.formatIso(DateTime.toUtc(zoned)).replace(".000Z", "Z")
    )
  )
}
