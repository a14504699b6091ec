import { Effect, Result, Stream } from "effect"
import { v5 } from "uuid"
import { ObjectStore } from "../../../../layers/object-store/object-store.ts"
import { AgendaItemId, type MeetingId } from "../../../../schema/primitives.ts"
import { writeAgenda } from "../../../record/write/meeting.ts"
import { meetingsChanged } from "../../../services/feed/changed.ts"
import { numbersAreIn } from "../../../text/language/numbers.ts"
import { keyOf, wordsOfText } from "../../../text/language/spoken-words.ts"
import { tied } from "../../../text/plain-words/tied.ts"
import { Asking, notBorneOut } from "../../asking.ts"
import { making, meetingOf } from "../../making.ts"
import { agendaLines } from "../../reading/read-pages.ts"
import { type RelyingTask, relying } from "../../relying.ts"
import { StageFailed, type StageHandler } from "../../stage.ts"
import { isSame, joinedItems, type ListedItem, listedItems } from "./items.ts"
import { agendaPrompt } from "./prompt.ts"

/** The most characters of an agenda that the model reads. */
const longestAgenda = 60_000

const longestTitle = 1000

/** The most summaries that are checked concurrently. */
const atOnce = 4

/** The share of a title's words that must appear in the agenda. */
const leastOfTitle = 0.8

interface SummedItem extends ListedItem {
  readonly summary: string
}

/** Why an item that a model found is not the agenda's; undefined if it is. `said` are the words of the agenda. */
const flawOfItem = ({ title, summary }: SummedItem, said: ReadonlySet<string>, text: string): string | undefined => {
  if (title.length > longestTitle) return "a title is longer than any of the agenda's."
  const words = wordsOfText(title)
  const known = words.filter((word) => said.has(keyOf(word))).length
  if (words.length === 0 || known < words.length * leastOfTitle) {
    return `the agenda has no item that is called "${title.slice(0, 100)}".`
  }
  return numbersAreIn(summary, text) ? undefined : `a number in "${summary.slice(0, 200)}" is not in the agenda.`
}

/**
 * The items that a model found. One of which the agenda lacks the title or a number is refused, or dropped if this is
 * the last attempt.
 */
export const checkedItems = (
  items: ReadonlyArray<SummedItem>,
  text: string,
  isLast: boolean
): Result.Result<ReadonlyArray<SummedItem>, string> => {
  const said = new Set(wordsOfText(text).map(keyOf))
  const looked = items.map((item) => ({ item, flaw: flawOfItem(item, said, text) }))
  const flaw = looked.find((one) => one.flaw !== undefined)?.flaw
  const sound = looked.filter((one) => one.flaw === undefined).map(({ item }) => item)
  if (flaw !== undefined && !isLast) return Result.fail(flaw)
  return sound.length === 0 ? Result.fail(flaw ?? "it lists no items.") : Result.succeed(sound)
}

/** An item's id is stable, however often the agenda is read. */
const itemId = (meeting: MeetingId, { number = "", title }: ListedItem, at: number) =>
  AgendaItemId.make(v5(`agenda item ${number} ${title} ${number === "" ? at : ""}`, meeting))

/**
 * Reads the items of the agenda's PDF by the form of its lines, and has the model find and summarize them. What the
 * model leaves out stays, without a summary, and so does an item whose summary says more than the agenda. Items on
 * record from another source stay, and only gain summaries.
 */
export const agendaStage = Effect.gen(function* () {
  const store = yield* ObjectStore
  const asking = yield* Asking
  const rely = yield* relying
  const { db, materials, skipped, write, made } = yield* making

  const textOf = Effect.fnUntraced(function* (key: string) {
    const parts = yield* Stream.runCollect(Stream.map(store.read(key), (part) => Uint8Array.from(part))).pipe(
      Effect.mapError(
        (cause) => new StageFailed({ message: "The agenda cannot be read from the store.", final: false, cause })
      )
    )
    return yield* Effect.result(agendaLines(Buffer.concat(parts)))
  })

  /** Whether the agenda says of an item what its summary does: by code, or by the model that checks. */
  const isBorneOut = (
    task: RelyingTask,
    item: SummedItem,
    listed: ReadonlyArray<ListedItem>,
    lines: ReadonlyArray<string>
  ) => {
    const same = listed.find((other) => isSame(item, other))
    const own = same === undefined ? lines : [`${same.number ?? ""} ${same.title}.`.trim(), same.description ?? ""]
    const text = own.join("\n")
    return tied(item.summary, { item: text, said: [], votes: [] })
      ? Effect.succeed(true)
      : asking.borneOut(
          task,
          item.summary,
          own.map((line) => ({ text: line })),
          lines.join("\n")
        )
  }

  const work = Effect.fn("AgendaStage.work")(function* (task: RelyingTask) {
    const meeting = yield* meetingOf(task)
    const isImported = (yield* materials.standing(meeting, "agenda")) === "imported"
    const isSummed = (yield* materials.standing(meeting, "agenda_summary")) === "imported"
    if (isImported && isSummed) return skipped(task, "the meeting has an agenda with a summary, which were imported")
    const file = yield* materials.file(meeting, "agenda")
    const onRecord = isImported ? yield* materials.agenda(meeting) : []
    if (file === undefined && onRecord.length === 0) return skipped(task, "the meeting has no agenda")
    const read = file === undefined ? Result.succeed([]) : yield* textOf(file.key)
    if (Result.isFailure(read))
      return skipped(task, `the agenda is not a PDF that can be read (${read.failure.reason})`)
    const lines =
      onRecord.length === 0
        ? read.success
        : onRecord.map(({ number = "", title, description = "" }) => `${number} ${title} ${description}`.trim())
    if (lines.length === 0) return skipped(task, "the agenda has no text, only pictures")
    const text = lines.join("\n").slice(0, longestAgenda)
    const answered = isSummed
      ? undefined
      : yield* asking.ask(task, agendaPrompt, { agenda: text }, ({ items }, isLast) =>
          checkedItems(items, text, isLast)
        )
    const listed = onRecord.length > 0 ? onRecord : listedItems(lines)
    const summed = yield* Effect.filter(answered ?? [], (item) => isBorneOut(task, item, listed, lines), {
      concurrency: atOnce
    })
    const found = (answered ?? []).map(({ summary: _, ...item }): ListedItem => item)
    const items = joinedItems(found, listedItems(lines)).map((item, at) => ({ id: itemId(meeting, item, at), ...item }))
    const unique = items.filter(({ id }, at) => items.findIndex((other) => other.id === id) === at)
    const generator = asking.generator(task, agendaPrompt)
    return Effect.gen(function* () {
      if (!isImported && unique.length > 0) {
        yield* writeAgenda(db, { id: meeting, agenda_items: unique })
        yield* meetingsChanged(db, [meeting])
      }
      if (answered !== undefined && summed.length === 0)
        yield* skipped(task, `the summaries that the model wrote are ${notBorneOut}`)
      if (summed.length > 0) yield* write([{ type: "agenda_summary", meeting_id: meeting, items: summed }])
      yield* made(task, generator, [
        ...(isImported ? [] : (["agenda"] as const)),
        ...(summed.length > 0 ? (["agenda_summary"] as const) : [])
      ])
    })
  })

  return { work: rely(work) } satisfies StageHandler
})
