import { type CityServer, says } from "../city-server.ts"
import { day } from "../legistar-city.ts"
import { usDay } from "./youtube.ts"

/** The Internet Archive's search: two items a page, fields that are lists, and dates at midnight in UTC. */
export const internetArchiveSite = (city: CityServer) => {
  const asked: Array<URLSearchParams> = []
  const item = (identifier: string, title: string | ReadonlyArray<string>, online: number, date?: number) => ({
    ...{ identifier, title, publicdate: `${day(online)}T18:00:00Z` },
    ...(date === undefined ? {} : { date: `${day(date)}T00:00:00Z` })
  })
  const docs = [
    item("springfield-council-1", ["City Council Meeting", `${usDay(-9)}`], -3),
    item("springfield-council-2", `City Council Meeting ${usDay(-9)}`, -7),
    item("springfield-board-3", "Planning Board Meeting", -12, -16),
    item("springfield-parade", "Summer Parade", -20)
  ]
  city.answers.set("/advancedsearch.php", (request, response) => {
    const query = new URL(request.url ?? "/", city.url).searchParams
    asked.push(query)
    const at = (Number(query.get("page")) - 1) * 2
    const isHere = query.get("q")?.includes("collection:(springfield-tv)") === true
    const found = isHere ? docs : []
    const answer = { numFound: found.length, start: at, docs: found.slice(at, at + 2) }
    says(JSON.stringify({ responseHeader: { status: 0 }, response: answer }))(request, response)
  })
  return { source: `${city.url}/details/springfield-tv`, asked }
}
