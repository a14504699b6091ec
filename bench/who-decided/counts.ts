import * as fs from "node:fs"
import * as path from "node:path"
import { createInterface } from "node:readline"
import { createGunzip } from "node:zlib"
import postgres from "postgres"

/** How many of what, by its name. */
type Counts = Readonly<Record<string, number>>

/** The list in a field of some JSON; empty if there is none. */
export const listIn = (value: unknown, key: string): ReadonlyArray<unknown> => {
  const list: unknown = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined
  return Array.isArray(list) ? list : []
}

/** The word or number in a field of some JSON, as text; empty if there is none. */
export const wordIn = (value: unknown, key: string): string => {
  const word: unknown = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined
  return typeof word === "string" || typeof word === "number" ? String(word) : ""
}

async function* linesOf(file: string): AsyncGenerator<unknown> {
  const lines = createInterface({ input: fs.createReadStream(file).pipe(createGunzip()) })
  for await (const line of lines) yield JSON.parse(line)
}

/** What is in New York's files, counted without the importer. */
export const countsIn = async (folder: string): Promise<Counts> => {
  const at = (name: string) => path.join(folder, `nyc-${name}.ndjson.gz`)
  const counts = { matters: 0, actions: 0, sponsors: 0, documents: 0, votes: 0, ballots: 0, offices: 0 }
  const rolls = { "roll calls": 0, answers: 0 }
  for await (const matter of linesOf(at("matters"))) {
    counts.matters++
    counts.sponsors += listIn(matter, "Sponsors").length
    counts.documents += listIn(matter, "Attachments").length
    for (const step of listIn(matter, "History")) {
      if (wordIn(step, "Date") !== "" && wordIn(step, "Action") !== "") counts.actions++
      const ballots = listIn(step, "Votes").filter((ballot) => wordIn(ballot, "Vote") !== "")
      if (ballots.length === 0 || wordIn(step, "EventID") === "") continue
      counts.votes++
      counts.ballots += ballots.length
    }
  }
  for await (const event of linesOf(at("rollcalls"))) {
    for (const item of listIn(event, "Items")) {
      const answers = listIn(item, "RollCall").filter((answer) => wordIn(answer, "Value") !== "")
      if (answers.length > 0) rolls["roll calls"]++
      rolls.answers += answers.length
    }
  }
  for await (const person of linesOf(at("people"))) counts.offices += listIn(person, "OfficeRecords").length
  return { ...counts, ...rolls }
}

/** The same on record, counted by PostgreSQL. */
export const countsOnRecord = async (url: string): Promise<Counts> => {
  const sql = postgres(url, { max: 1 })
  const rows = await sql<ReadonlyArray<{ name: string; count: number }>>`
    select 'matters' as name, count(*)::int as count from matter
    union all select 'actions', count(*)::int from matter_step
    union all select 'sponsors', count(*)::int from sponsor
    union all select 'documents', sum(jsonb_array_length(attachments))::int from matter
    union all select 'votes', count(*)::int from vote where kind = 'vote'
    union all select 'ballots', count(*)::int from ballot where not is_roll_call
    union all select 'roll calls', count(*)::int from vote where kind = 'roll_call'
    union all select 'answers', count(*)::int from ballot where is_roll_call
    union all select 'offices', count(*)::int from membership`
  await sql.end()
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}
