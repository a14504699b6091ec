import { DateTime, Option } from "effect"

/** The names that Outlook gives to the zones of the United States. */
const windows: Readonly<Record<string, string>> = {
  "eastern standard time": "America/New_York",
  "us eastern standard time": "America/Indiana/Indianapolis",
  "central standard time": "America/Chicago",
  "mountain standard time": "America/Denver",
  "us mountain standard time": "America/Phoenix",
  "pacific standard time": "America/Los_Angeles",
  "alaskan standard time": "America/Anchorage",
  "hawaiian standard time": "Pacific/Honolulu",
  "atlantic standard time": "America/Halifax",
  "sa western standard time": "America/Puerto_Rico"
}

/**
 * The zone of the tz database that a calendar means by a name: its own, also behind a prefix
 * (`/citadel.org/20250101_1/America/Chicago`), or Outlook's. Undefined if the name says nothing.
 */
export const zoneNamed = (name: string): string | undefined => {
  const bare = name.trim().replace(/^"|"$/g, "")
  const candidates = [windows[bare.toLowerCase()], bare, /[A-Z]\w+\/[A-Z][\w/]+$/.exec(bare)?.[0]]
  return candidates.find(
    (zone) => zone !== undefined && /[A-Z]\w+\//.test(zone) && Option.isSome(DateTime.zoneMakeNamed(zone))
  )
}
