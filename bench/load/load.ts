import postgres, { type ReservedSql, type Sql } from "postgres"
import type { Progress } from "./progress.ts"
import type { LoadedRecord } from "./record.ts"
import { copySaid, copyTemplates, dropTemplates, noteWords } from "./said.ts"
import { withoutSearchIndexes } from "./shortcuts.ts"
import { copyDirectory, copyMeetings } from "./tables.ts"

/** Meetings that are put on record at a time. */
const batch = 4000

/** Connections that load beside each other: PostgreSQL does most of the work, and a laptop has two cores to spare. */
const writers = 2

const inBatches = async (sql: Sql, record: LoadedRecord, progress: Progress) => {
  const bodies = new Map(record.directory.bodies.map(({ agency }, at) => [agency.slug, at + 1]))
  const { size } = record.plan
  let next = 0
  // One after the other: meetings raise the same counts, and a short id must be known to whoever makes the next.
  let rows = Promise.resolve()
  const write = async (connection: ReservedSql) => {
    while (next < size) {
      const from = next
      next = Math.min(size, next + batch)
      const meetings = Array.from({ length: next - from }, (_, at) => record.meeting(from + at))
      rows = rows.then(() => copyMeetings(connection, meetings, bodies))
      await rows
      await copySaid(connection, meetings)
      const held = meetings.filter(({ meeting }) => meeting.status === "held").map(({ meeting }) => meeting.id)
      await connection`select index_meetings(${held}::uuid[])`
      progress("meetings", next / size)
    }
  }
  await Promise.all(
    Array.from({ length: writers }, async () => {
      const connection = await sql.reserve()
      try {
        await connection`set synchronous_commit = off`
        await write(connection)
      } finally {
        connection.release()
      }
    })
  )
}

/**
 * Puts a record straight into the tables of an empty, migrated database: rows by COPY, what search reads of them by
 * `index_meetings`, and counts and scopes by the triggers that always keep them. Only the indexes of search come after
 * the rows. A load that is interrupted leaves a database that is of no use.
 */
export const load = async (url: string, record: LoadedRecord, progress: Progress = () => undefined) => {
  const sql = postgres(url, { max: writers + 1, onnotice: () => undefined })
  try {
    const [found] = await sql<[{ has: boolean }]>`select exists (select from body) as has`
    if (found.has) throw new Error("A record is loaded into an empty database, and this one has bodies.")
    const connection = await sql.reserve()
    try {
      progress("directory", 0)
      await copyDirectory(connection, record)
      await withoutSearchIndexes(connection, progress, async () => {
        await copyTemplates(connection, record, progress)
        await inBatches(sql, record, progress)
        progress("words", 0)
        await noteWords(connection)
        await dropTemplates(connection)
      })
      progress("vacuum", 0)
      await connection`vacuum analyze`
    } finally {
      connection.release()
    }
  } finally {
    await sql.end()
  }
}
