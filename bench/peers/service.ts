/**
 * The public reads as a good engineer would write them by hand in a day: Fastify and postgres.js on the same database,
 * the same columns for search, and one plain `GROUP BY` per facet. `node service.ts DATABASE_URL` sends its parent its
 * address.
 */
import fastify from "fastify"
import postgres from "postgres"
import { browse } from "./browse.ts"
import { agencies, locations, places, upcoming } from "./directory.ts"
import { meeting } from "./meeting.ts"
import { paramsOf } from "./query.ts"

const [url = ""] = process.argv.slice(2)
const sql = postgres(url, { max: 10, onnotice: () => undefined })
const app = fastify()

app.get("/api/meetings/browse", ({ query }) => browse(sql, paramsOf(query)))
app.get("/api/agencies", () => agencies(sql))
app.get("/api/places", () => places(sql))
app.get("/api/upcoming", ({ query }) => upcoming(sql, paramsOf(query)))
app.get("/api/search/locations", ({ query }) => locations(sql, paramsOf(query)))
app.get<{ Params: { id: string } }>("/api/meetings/:id", async ({ params }, reply) => {
  const found = await meeting(sql, params.id)
  return found ?? reply.code(404).send({ error: "not_found" })
})

process.on("disconnect", () => process.exit())
process.send?.({ base: await app.listen({ port: 0, host: "127.0.0.1" }) })
