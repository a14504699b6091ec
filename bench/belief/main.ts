/**
 * Measures how far the check of claims can be believed: which false sentences it serves, and which true ones, by who
 * judges what code leaves open. See README.md. Prints a table in Markdown.
 *
 *     npm run bench:belief
 *     npm run bench:belief -- --show
 */
import { parseArgs } from "node:util"
import { Effect } from "effect"
import { shortfallOf } from "../../src/text/verify/carries/carries.ts"
import { wordsOf } from "../../src/text/verify/words.ts"
import { areThere } from "../../test/support/real-transcripts.ts"
import { readClaims } from "./claims.ts"
import { type Judge, judges } from "./judges.ts"
import { type Outcome, outcomesOf, table } from "./score.ts"

const { values: flags } = parseArgs({
  options: { show: { type: "boolean", default: false }, held: { type: "boolean", default: false } }
})
if (!areThere) {
  console.error("The claims are about real meetings, which are not there: put them into ../shared/data.")
  process.exit(1)
}

const results = await Effect.runPromise(outcomesOf(await readClaims(), judges))
console.log(table(results).join("\n"))

/** What went wrong with a claim. The held-out half stays unread, so that it stays held out. */
const faultOf = (judge: Judge, { claim, isServed, isOpen }: Outcome): string | undefined => {
  if (claim.half === "held" && !flags.held) return undefined
  if (claim.kind !== "true") return isServed ? "false, but served" : undefined
  if (judge === "nobody") return isServed || isOpen ? undefined : "true, but refuted by code"
  if (judge !== "careful" || isServed) return undefined
  const shortfall = shortfallOf(wordsOf(claim.text), claim.evidence, claim.quotes, claim.context)
  return `true, but not served for its ${shortfall ?? "contradiction"}`
}
if (flags.show || flags.held) {
  for (const [judge, outcomes] of results) {
    for (const one of outcomes) {
      const fault = faultOf(judge, one)
      if (fault !== undefined) console.error(`${judge}: ${fault} (${one.claim.kind}): ${one.claim.text}`)
    }
  }
}
