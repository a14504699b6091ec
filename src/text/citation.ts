import { type Named, sessionOf } from "./meeting-name.ts"

/** A moment of a meeting, and what was said there. */
export interface CitedMoment {
  /** Its time in the recording, for people: `1:02:03`. */
  readonly clock: string
  /** The words in quotation marks, after the name of who said them. */
  readonly said?: string
}

export interface Citation {
  readonly style: "APA" | "Chicago" | "Bluebook"
  readonly text: string
}

const parts = (date: string) => {
  const at = new Date(`${date}T00:00:00Z`)
  const month = at.toLocaleDateString("en-US", { month: "long", timeZone: "UTC" })
  return { year: at.getUTCFullYear(), month, day: at.getUTCDate() }
}

/** The Bluebook, table T12: months of up to four letters stay whole. */
const shortMonth = (month: string): string =>
  month.length <= 4 ? month : `${month.slice(0, month === "September" ? 4 : 3)}.`

/**
 * A meeting cited in three styles, each with the same facts: its body as the author, its kind, its day and `url`, and
 * the moment with its words if there is one.
 */
export const citationsOf = (
  meeting: Pick<Named, "body" | "title" | "date">,
  url: string,
  moment?: CitedMoment
): ReadonlyArray<Citation> => {
  const { name } = meeting.body
  const session = sessionOf(meeting)
  const { year, month, day } = parts(meeting.date)
  const { clock, said } = moment ?? {}
  const at = clock === undefined ? "" : `at ${clock}`
  const both = said === undefined ? at : `${said} ${at}`
  const ended = said === undefined ? "" : ` ${said}${/[.?!]”$/.test(said) ? "" : "."}`
  return [
    {
      style: "APA",
      text: `${name}. (${year}, ${month} ${day}). ${session} [Public meeting${both === "" ? "" : `; ${both}`}]. Civic Record. ${url}`
    },
    {
      style: "Chicago",
      text: `${name}. “${session}.” ${month} ${day}, ${year}${at === "" ? "" : `, ${at}`}.${ended} Civic Record. ${url}`
    },
    {
      style: "Bluebook",
      text: `${name}, ${session}${at === "" ? "" : `, ${at}`} (${shortMonth(month)} ${day}, ${year})${said === undefined ? "" : ` (${said})`}, ${url}`
    }
  ]
}

/** Words to paste elsewhere, with who said them where and when, and where to hear them. */
export const quotation = (
  meeting: Pick<Named, "body" | "title" | "date">,
  url: string,
  { clock, said }: Required<CitedMoment>
): string => {
  const { year, month, day } = parts(meeting.date)
  return `${said}\n${meeting.body.name}, ${sessionOf(meeting)}, ${month} ${day}, ${year}, at ${clock}\n${url}`
}
