import { Result } from "effect"

/** What a column of a list of meetings may be, with the headings that people give it; the first that fits is it. */
const headings = {
  date: /^(?:meeting |event |start )?dates?$|^day$|^when$/,
  time: /^(?:meeting |event |start )?time$|^hour$|^starts?$/,
  body: /^(?:public |governing |meeting )?(?:body|bodies|board|committee|commission|council|group|agency|department|organi[sz]ation|meeting type|type)(?: name)?$/,
  title: /^(?:meeting |event )?(?:title|name|subject|meeting|event|description)$/,
  status: /^(?:meeting )?status$/,
  location: /^(?:meeting )?(?:location|venue|room|where|address)$/,
  agenda_url: /^agenda(?: (?:url|link|pdf|file))?$/,
  minutes_url: /^minutes(?: (?:url|link|pdf|file))?$/,
  video_url: /^(?:video|recording|media|youtube)(?: (?:url|link|file))?$/,
  source_url: /^(?:url|link|web ?page|page|details)$/,
  place: /^(?:city|town|municipality|place|jurisdiction)$/,
  county: /^county$/,
  state: /^state$/,
  timezone: /^time ?zone$/
} as const satisfies Readonly<Record<string, RegExp>>

type Column = keyof typeof headings

/** Which heading is which column. */
export type ColumnMap = ReadonlyMap<Column, string>

const columns = Object.keys(headings).filter((name): name is Column => name in headings)

const plain = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[_\s-]+/g, " ")
    .trim()

/** The map that headings suggest. */
export const guessed = (header: ReadonlyArray<string>): ColumnMap =>
  new Map(
    columns.flatMap((column) => {
      const heading = header.find((one) => headings[column].test(plain(one)) || plain(one) === plain(column))
      return heading === undefined ? [] : [[column, heading] as const]
    })
  )

/** A map as `--columns` writes it: `date=Meeting Date; body=Committee`. */
export const written = (map: ColumnMap): string =>
  [...map].map(([column, heading]) => `${column}=${heading}`).join("; ")

/** Reads a map, or says what is wrong with it. */
export const readMap = (text: string, header: ReadonlyArray<string>): Result.Result<ColumnMap, string> => {
  const map = new Map<Column, string>()
  for (const pair of text.split(";").filter((one) => one.trim() !== "")) {
    const [name = "", ...rest] = pair.split("=")
    const column = columns.find((one) => one === name.trim())
    const heading = header.find((one) => plain(one) === plain(rest.join("=")))
    if (column === undefined) {
      return Result.fail(`names ${name.trim()}, which is no field of a meeting; the fields are ${columns.join(", ")}`)
    }
    if (heading === undefined)
      return Result.fail(`names a column that is not in the table; it has ${header.join(", ")}`)
    map.set(column, heading)
  }
  return Result.succeed(map)
}
