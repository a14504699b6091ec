import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Result } from "effect"
import { v5 } from "uuid"
import type { BundleBriefing, BundleEntity } from "../../../../schema/bundle.ts"
import { FigureId } from "../../../../schema/primitives.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import { figurePng, figureSize } from "../../../record/sample/figure-png.ts"
import { cleanTitle } from "../../../services/clips/auto-span.ts"
import { around, excerptsOf } from "../../../text/language/excerpts.ts"
import { numbersIn } from "../../../text/language/numbers.ts"
import { type SpokenWord, spokenWords } from "../../../text/language/spoken-words.ts"
import { Asking, notBorneOut } from "../../asking.ts"
import { citedSpan, segmentsAround } from "../../citation.ts"
import { making, meetingOf } from "../../making.ts"
import { type RelyingTask, relying } from "../../relying.ts"
import { renderingFolders } from "../../scratch.ts"
import type { StageHandler } from "../../stage.ts"
import { figuresPrompt } from "./prompt.ts"

const longestExcerpt = 30_000
/** The most figures in a briefing: the first number, or for a long meeting one per part, up to the second number. */
const usualFigures = 3
const mostFigures = 8

const noneBorneOut = `the charts that the model proposed are ${notBorneOut}`

/** A chart of numbers that were said. */
export interface SaidFigure {
  readonly title: string
  readonly alt: string
  readonly mark: "bar" | "line"
  readonly x: string
  readonly y: string
  readonly values: ReadonlyArray<readonly [label: string, value: number]>
  /** The second at which its first number is said. */
  readonly at: number
  /** The lines in which its numbers are said. */
  readonly lines: ReadonlyArray<number>
}

type Proposed = (typeof figuresPrompt)["schema"]["Type"]["figures"][number]

/** A figure if each of its numbers is said where it is cited; otherwise the reason why not. */
const soundFigure = (
  words: ReadonlyArray<SpokenWord>,
  { title, form, axis, unit, points }: Proposed
): Result.Result<SaidFigure, string> => {
  const [named, x, y] = [cleanTitle(title), cleanTitle(axis), cleanTitle(unit)]
  if (named === undefined || x === undefined || y === undefined)
    return Result.fail("a chart has no title, axis or unit.")
  if (points.length < 2 || points.length > 8) return Result.fail(`"${named}" has not 2 to 8 values.`)
  const labels = points.map(({ label }) => cleanTitle(label))
  if (new Set(labels).size < labels.length || labels.includes(undefined)) {
    return Result.fail(`"${named}" repeats a label, or has an empty one.`)
  }
  const spans = points.map((point) => citedSpan(words, point))
  const unsaid = points.find(({ value, quote }, at) => spans[at] === undefined || !numbersIn(quote).has(value))
  if (unsaid !== undefined) return Result.fail(`${unsaid.value} is not said in "${unsaid.quote.slice(0, 100)}".`)
  const values = points.map(({ value }, at) => [labels[at] ?? "", value] as const)
  const told = values.map(([label, value]) => `${label}, ${value.toLocaleString("en-US")}`).join("; ")
  return Result.succeed({
    ...{ title: named, mark: form, x, y, values, at: spans[0]?.start ?? 0, lines: points.map(({ line }) => line) },
    alt: `${form === "bar" ? "Bar" : "Line"} chart of ${y.toLowerCase()} by ${x.toLowerCase()}. ${told}.`
  })
}

/**
 * The figures of an answer. One with a number that nobody said is refused, or dropped if this is the last attempt and
 * another is sound.
 */
export const soundFigures = (
  segments: ReadonlyArray<Segment>,
  { figures }: (typeof figuresPrompt)["schema"]["Type"],
  isLast: boolean
): Result.Result<ReadonlyArray<SaidFigure>, string> => {
  const words = spokenWords(segments)
  const looked = figures.map((figure) => soundFigure(words, figure))
  const flaw = looked.find(Result.isFailure)
  const sound = looked.filter(Result.isSuccess).map(({ success }) => success)
  return flaw !== undefined && (!isLast || sound.length === 0) ? Result.fail(flaw.failure) : Result.succeed(sound)
}

const months = /^(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?(?: \d{4})?$/i

/** Whether an axis says no more than its labels do: `Month` of `May` and `June`, `Year` of `2024` and `2025`. */
const isOfCalendar = (axis: string, values: SaidFigure["values"]): boolean => {
  const labels = /^months?$/i.test(axis)
    ? months
    : /^(?:fiscal )?years?$/i.test(axis)
      ? /^(?:FY ?)?\d{2,4}$/i
      : undefined
  return labels !== undefined && values.every(([label]) => labels.test(label))
}

/** Interleaves the lists, first items first, so that truncation leaves some of every list. */
const inTurns = <A>(lists: ReadonlyArray<ReadonlyArray<A>>): ReadonlyArray<A> =>
  Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1))
  ).flat()

/** The briefing with each figure under the topic that covers the same moment. */
const illustrated = (
  { topics, ...briefing }: BundleBriefing,
  figures: ReadonlyArray<{ readonly id: FigureId; readonly at: number }>
): BundleBriefing => {
  const distance = (topic: BundleBriefing["topics"][number], at: number) =>
    Math.min(...topic.sentences.flatMap(({ citations }) => citations.map(({ start }) => Math.abs(start - at))))
  const topicOf = (at: number) => {
    const distances = topics.map((topic) => distance(topic, at))
    return distances.indexOf(Math.min(...distances))
  }
  return {
    ...briefing,
    topics: topics.map((topic, number) => ({
      ...topic,
      figures: figures.filter(({ at }) => topicOf(at) === number).map(({ id }) => id)
    }))
  }
}

/**
 * Charts numbers that were said and are worth comparing, as figures of the briefing. A figure is left out if the lines
 * with its numbers do not support its title and labels.
 */
export const figuresStage = Effect.gen(function* () {
  const asking = yield* Asking
  const rely = yield* relying
  const folderOf = yield* renderingFolders
  const { materials, skipped, write, made } = yield* making

  const work = Effect.fn("FiguresStage.work")(function* (task: RelyingTask) {
    const meeting = yield* meetingOf(task)
    if ((yield* materials.standing(meeting, "figures")) === "imported") {
      return skipped(task, "the meeting has figures, which were imported")
    }
    const briefing = yield* materials.briefing(meeting)
    const transcript = yield* materials.transcript(meeting, "refined")
    if (
      briefing === undefined ||
      transcript === undefined ||
      (yield* materials.standing(meeting, "briefing")) !== "made"
    ) {
      return skipped(task, "the meeting has no briefing that was made here")
    }
    const { segments } = transcript
    const counted = around(segments, 1, ({ text }) => Math.max(0, ...numbersIn(text)) >= 10)
    const excerpts = excerptsOf(segments, longestExcerpt, (at) => counted.has(at))
    const found = yield* Effect.forEach(excerpts, ({ text }) =>
      asking.ask(task, figuresPrompt, { transcript: text }, (answer, isLast) => soundFigures(segments, answer, isLast))
    )
    const proposed = inTurns(found.map((sound = []) => sound))
      .filter(({ title }, at, all) => all.findIndex((other) => other.title === title) === at)
      .slice(0, Math.min(mostFigures, Math.max(usualFigures, excerpts.length)))
    const names = segments.map(({ text }) => text).join("\n")
    const borneOut = yield* Effect.filter(proposed, ({ title, x, y, values, lines }) =>
      asking.borneOut(
        task,
        `${title}${isOfCalendar(x, values) ? "" : `, by ${x}`}. ${values.map(([label, value]) => `${label}: ${value.toLocaleString("en-US")} ${y}`).join(". ")}.`,
        segmentsAround(segments, lines),
        names
      )
    )
    const figures = borneOut.map((figure) => ({ ...figure, id: FigureId.make(v5(`figure ${figure.title}`, meeting)) }))
    if (figures.length === 0) {
      const why = proposed.length > 0 ? noneBorneOut : "no numbers that were said are worth a figure"
      return skipped(task, why)
    }
    const folder = yield* folderOf(task)
    for (const figure of figures) {
      const png = yield* Effect.promise(() => figurePng(figure))
      yield* Effect.promise(() => fs.promises.writeFile(path.join(folder, `${figure.id}.png`), png))
    }
    const generator = asking.generator(task, figuresPrompt)
    return Effect.gen(function* () {
      const entities = figures.flatMap(
        ({ id, title, alt }): ReadonlyArray<BundleEntity> => [
          { type: "figure", meeting_id: meeting, id, title, alt },
          {
            ...{ type: "media", meeting_id: meeting, role: "figure", subject: id, path: `${id}.png` },
            ...{ media_type: "image/png", ...figureSize }
          }
        ]
      )
      const whole = yield* materials.briefing(meeting)
      yield* write([...entities, ...(whole === undefined ? [] : [illustrated(whole, figures)])], folder)
      yield* made(task, generator, ["figures"])
    })
  })

  return { work: rely(work) } satisfies StageHandler
})
