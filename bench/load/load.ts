import postgres, { type ReservedSql, type Sql } from "postgres"
import type { Progress } from "./progress.ts"
import type { LoadedRecord } from "./record.ts"
import { copySaid, copyTemplates, dropTemplates, noteWords } from "./said.ts"
import { withoutSearchIndexes } from "./shortcuts.ts"
import { copyDirectory, copyMeetings } from "./tables.ts"

/** Meetings per batch. */
const batch = 4000

/** Connections that load in parallel. PostgreSQL does most of the work, and a laptop has two cores to spare. */
const writers = 2

const inBatches = async (sql: Sql, record: LoadedRecord, progress: Progress) => {
  const bodies = new Map(record.directory.bodies.map(({ agency }, at) => [agency.slug, at + 1]))
  const { size } = record.plan
  let next = 0
  // Rows are copied one batch at a time: batches update the same counts, and each must see the short ids of those
  // before.
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
 * Loads a record straight into the tables of an empty, migrated database: rows by COPY, search data by
 * `index_meetings`, and counts and scopes by their usual triggers. Only the search indexes are built after the rows. An
 * interrupted load leaves an unusable database.
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
