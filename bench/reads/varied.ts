import * as http from "node:http"
import postgres from "postgres"
import { rowsFor, variantsOf } from "./rows.ts"
import { knownOf } from "./words.ts"

const codings = ["br", "gzip", "identity"]

/**
 * Requests of all kinds by turn, of which none is repeated soon: every kind of public read, meetings, their pages and
 * transcripts.
 */
export const variedPaths = async (databaseUrl: string) => {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  const known = await knownOf(sql)
  const meetings = (await sql<{ id: string }[]>`select meeting_id::text as id from transcript limit 3000`).map(
    ({ id }) => id
  )
  await sql.end()
  const kinds = rowsFor(known).map((row) => variantsOf(row))
  const meeting = (at: number) => meetings[at % meetings.length] ?? ""
  return (turn: number): string => {
    if (turn % 50 === 24)
      return `/api/meetings/${meeting(turn * 13)}/transcript?format=${["json", "vtt", "txt"][turn % 3]}`
    if (turn % 10 === 6) return `/meetings/${meeting(turn * 11)}`
    return kinds[turn % kinds.length]?.() ?? "/"
  }
}

/**
 * Sends the request of a turn, in one of the codings, discards the response, and gives its status; 0 if there was none.
 */
export const visit = (
  agent: http.Agent,
  base: string,
  pathOf: (turn: number) => string,
  turn: number
): Promise<number> =>
  new Promise((resolve) => {
    http
      .get(`${base}${pathOf(turn)}`, { agent, headers: { "accept-encoding": codings[turn % 3] } }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0))
        response.on("error", () => resolve(0))
      })
      .on("error", () => resolve(0))
  })
