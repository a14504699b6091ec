import type { Matter } from "../../../schema/vote.ts"
import { el, type Kid } from "../../page-tree/tree.ts"
import { figureOf, outcomeOf, resultWords } from "../../text/vote-words.ts"
import { number, plainDate, plural } from "../said.ts"
import { moment } from "./card.ts"
import { signInAt } from "./paths.ts"
import { tally } from "./votes.ts"

type Step = Matter["history"][number]

/** The body that acted, with a way to its meeting, and to the votes there. */
const actor = ({ meeting, agency, body_name, vote }: Step): Kid => {
  if (meeting !== undefined) {
    return el("a", { href: vote === undefined ? meeting.path : `${meeting.path}#votes` }, meeting.body.name)
  }
  return agency === undefined ? body_name : el("a", { href: agency.path }, agency.name)
}

/** The second at which it happened; who may not read the meeting is asked to sign in, and comes back. */
const heard = ({ meeting, start, has_start }: Step, path: string): Kid => {
  if (meeting === undefined || has_start !== true) return false
  if (start !== undefined) return [" · ", moment(`${meeting.path}?t=${Math.floor(start)}`, start, "Hear it")]
  return [" · ", el("a", { href: signInAt(path) }, "Sign in to hear it")]
}

const outcome = ({ vote, result }: Step): Kid =>
  vote !== undefined
    ? [" · ", tally(vote)]
    : result !== undefined && result !== "other" && [" · ", el("strong", {}, resultWords[result])]

const day = (date: string): Kid => el("time", { datetime: date }, plainDate(date))

/** One action: the day, who acted and what came of it, with a way to the meeting, the vote and the second. */
const stepItem = (step: Step, path: string, id: string | undefined): Kid =>
  el(
    "li",
    id === undefined ? {} : { id },
    el("p", { class: "when" }, day(step.date)),
    el(
      "div",
      {},
      el("p", {}, el("strong", {}, step.action)),
      el("p", { class: "note" }, actor(step), heard(step, path), outcome(step))
    )
  )

/** The least actions in a row that are told as one. */
const leastRun = 3

const isPlain = ({ vote, result, has_start }: Step) =>
  vote === undefined && has_start !== true && (result === undefined || result === "other")

const isSame = (a: Step, b: Step): boolean =>
  isPlain(a) &&
  isPlain(b) &&
  a.action === b.action &&
  (a.agency?.slug ?? a.body_name) === (b.agency?.slug ?? b.body_name)

/** The actions, those that repeat each other together: a bill may be laid over at every meeting of two years. */
const runsOf = (history: ReadonlyArray<Step>): ReadonlyArray<ReadonlyArray<Step>> => {
  const runs: Array<Array<Step>> = []
  for (const step of history) {
    const run = runs.at(-1)
    if (run?.[0] !== undefined && isSame(run[0], step)) run.push(step)
    else runs.push([step])
  }
  return runs.flatMap((run) => (run.length < leastRun ? run.map((step) => [step]) : [run]))
}

const runItem = (run: ReadonlyArray<Step>, path: string): Kid => {
  const [first, last] = [run[0], run.at(-1)]
  return (
    first !== undefined &&
    last !== undefined &&
    el(
      "li",
      {},
      el("p", { class: "when" }, day(first.date)),
      el(
        "div",
        {},
        el("p", {}, el("strong", {}, first.action)),
        el("p", { class: "note" }, `${plural(run.length, "time")}, until `, day(last.date)),
        el(
          "details",
          { class: "run" },
          el("summary", {}, `All ${number(run.length)}`),
          el(
            "ol",
            { class: "way" },
            run.map((step) => stepItem(step, path, undefined))
          )
        )
      )
    )
  )
}

/** Its first action, and its last vote with a way down to it. */
const inShort = (history: ReadonlyArray<Step>, final: Step | undefined): Kid => {
  const said =
    final?.vote === undefined ? undefined : outcomeOf({ counts: final.vote.counts, result: final.vote.result })
  return el(
    "p",
    { class: "note" },
    plural(history.length, "action"),
    history[0] !== undefined && history.length > 1 && [" since ", day(history[0].date)],
    final !== undefined &&
      said !== undefined && ["; ", el("a", { href: "#last-vote" }, "the last vote"), ` ${said}, on `, day(final.date)],
    "."
  )
}

/** The way of a matter through the bodies. `path` is that of its page. */
export const way = (history: ReadonlyArray<Step>, path: string): Kid => {
  const final = history.findLast(({ vote }) => vote !== undefined && figureOf(vote) !== undefined)
  return [
    inShort(history, final),
    el(
      "ol",
      { class: "way" },
      runsOf(history).map((run) => {
        const [step, ...others] = run
        if (step === undefined || others.length > 0) return runItem(run, path)
        return stepItem(step, path, step === final ? "last-vote" : undefined)
      })
    )
  ]
}
