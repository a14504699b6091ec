/**
 * Measures which real names of bodies are known as such in a calendar, and what else is taken for one: see README.md.
 * Prints a table in Markdown.
 *
 *     npm run bench:names
 *     npm run bench:names -- --data ../shared/data --verbose
 */
import * as path from "node:path"
import { parseArgs } from "node:util"
import { archive, halves, mistaken, nonMeetings, realNames, scoreOf } from "./names.ts"

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: path.dirname(archive) },
    verbose: { type: "boolean", default: false }
  }
})

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)}%`
const score = scoreOf(realNames(path.join(flags.data, "places.tar.gz")))
console.log("| what | titles | taken for a body's meeting | share |\n| --- | --: | --: | --: |")
console.log(`| real names | ${score.names} | ${score.known} | ${percent(score.known, score.names)} |`)
console.log(
  `| real names that name a body | ${score.bodies} | ${score.knownBodies} | ${percent(score.knownBodies, score.bodies)} |`
)
for (const [half, titles] of nonMeetings.entries()) {
  const wrong = mistaken(titles)
  console.log(
    `| no meetings, ${halves[half]} | ${titles.length} | ${wrong.length} | ${percent(wrong.length, titles.length)} |`
  )
  // The held-out half stays unread, so that it stays held out.
  if (flags.verbose && half === 0) console.error(wrong.join("\n"))
}
if (flags.verbose) console.error(score.missed.join("\n"))
