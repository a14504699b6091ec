import { Effect, Schema } from "effect"
import { Environment } from "../../layers/config/config.ts"
import type { Signer } from "../../layers/signer/signer.ts"
import { RemovalKind } from "../../schema/transcript.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import { clock, removalKinds } from "../pages/said.ts"
import type { NotFound, Removed } from "../services/failures.ts"
import {
  type ListedRemoval,
  Removals,
  removalPage,
  type TranscriptImported,
  type WordsNotKept,
  type WordsNotSaid
} from "../services/making/removals.ts"
import { signedAddress } from "../services/meetings/meeting-media.ts"
import type { MissingPart } from "../services/meetings/missing-part.ts"
import { wordsOf } from "../text/redact/taken.ts"
import { formField, InvalidForm } from "./forms.ts"
import type { ConsoleAct, ConsoleLoad } from "./page.ts"
import { anyOr, button, field, filters, form, pageOf, paging, part, state, table, when } from "./parts.ts"

const states = ["removed", "restored", "added"] as const
const kinds = RemovalKind.literals

const kindOptions = kinds.map((kind) => [kind, removalKinds[kind][0]] as const)

/** The seconds that are played before and after the words. */
const around = 3

const takeOutForm = (meeting: string): Kid =>
  part(
    "Take more out",
    el(
      "p",
      { class: "note" },
      "Every time that the words are said in the line at that second, a mark takes their place: in the transcript, in search, and in quotes and sentences that rest on the line."
    ),
    form(
      "/removals",
      "Take out",
      el("input", { type: "hidden", name: "meeting", value: meeting }),
      field({ name: "second", label: "When the line is said", hint: "1:02:03, or seconds" }),
      field({ name: "words", label: "The words, as the transcript has them" }),
      field({ name: "taken", label: "What they are", options: kindOptions })
    )
  )

/** The words in the line that they were taken out of. */
const inContext = ({ kept }: ListedRemoval): Kid =>
  kept === null
    ? el("span", { class: "note" }, "no longer kept")
    : el("p", { class: "context" }, kept.before, el("mark", {}, wordsOf(kept)), kept.after)

const removalRow = Effect.fnUntraced(function* (
  removal: ListedRemoval,
  signed: Effect.Success<typeof signedAddress>,
  publicUrl: string
) {
  const { id, kind, rule, start, end, state: is, recording, kept } = removal
  const at = clock(start)
  const url = recording === null ? undefined : (yield* signed(recording)).url
  return [
    [
      el("a", { href: `${publicUrl}/meetings/${removal.meeting_id}?t=${Math.floor(start)}` }, at),
      url !== undefined &&
        el("audio", {
          controls: true,
          preload: "none",
          src: `${url}#t=${Math.max(0, Math.floor(start) - around)},${Math.ceil(end) + around}`,
          "aria-label": `What is said at ${at}`
        })
    ],
    inContext(removal),
    [removalKinds[kind][0], el("br", {}), el("span", { class: "note" }, rule)],
    [state(is), removal.decided_by !== null && [` by ${removal.decided_by} `, when(removal.decided_at?.toISOString())]],
    el("a", { href: `/removals?meeting=${removal.meeting_id}` }, `${removal.body}, ${removal.date}`),
    is !== "restored" &&
      kept !== null &&
      button({ to: `/removals/${id}/restore`, label: "Put back", about: `what was said at ${at}` })
  ] satisfies ReadonlyArray<Kid>
})

/** `/removals`: what was taken out of transcripts, newest first; `?meeting=` of one, with a form to take more out. */
export const loadRemovals: ConsoleLoad<NotFound | Removed, Removals | Signer | Environment> = Effect.fn(
  "Console.removals"
)(function* ({ query }) {
  const page = pageOf(query)
  const given = {
    kind: kinds.find((kind) => kind === query.get("kind")),
    state: states.find((one) => one === query.get("state")),
    meeting: query.get("meeting")?.trim() || undefined
  }
  const { total, meeting, removals } = yield* Removals.use(({ list }) => list(given, page))
  const signed = yield* signedAddress
  const { baseUrl } = yield* Environment
  const rows = yield* Effect.forEach(removals, (removal) => removalRow(removal, signed, baseUrl))
  return {
    title: "Removals",
    section: "/removals",
    main: [
      heading("What was taken out of transcripts"),
      filters(
        "/removals",
        field({ name: "kind", label: "Kind", value: given.kind, options: [["", "Any"], ...kindOptions] }),
        field({ name: "state", label: "State", value: given.state, options: anyOr(states) }),
        field({ name: "meeting", label: "Id or slug of a meeting", value: given.meeting, optional: true })
      ),
      meeting === undefined
        ? el("p", { class: "note" }, "Name a meeting to take more out of its transcript.")
        : el("p", {}, el("a", { href: `/meetings/${meeting}` }, "The meeting")),
      paging({ path: "/removals", query, page, size: removalPage, total }, "removal"),
      table(
        "Removals",
        ["Said at", "Words", "Kind and rule", "State", "Meeting", "Decide"],
        rows,
        "Nothing of this kind was taken out."
      ),
      meeting !== undefined && takeOutForm(meeting)
    ]
  }
})

export const restoreRemoval: ConsoleAct<NotFound | WordsNotKept, Removals> = Effect.fn("Console.restoreRemoval")(
  function* ({ params }) {
    const { meeting, changed } = yield* Removals.use(({ restore }) => restore(params.id ?? ""))
    return {
      to: `/removals?meeting=${meeting}`,
      said: changed ? "The words are back in the transcript." : "They had been put back already."
    }
  }
)

/** The seconds of `1:02:03`, `62:03` or `3723.5`. */
const secondsOf = (text: string): number | undefined => {
  const [, hours = "0", minutes = "0", seconds = ""] =
    /^(?:(?:(\d{1,3}):)?(\d{1,4}):)?(\d{1,6}(?:\.\d+)?)$/.exec(text) ?? []
  return seconds === "" ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/** Takes words out of a transcript. */
export const takeOutWords: ConsoleAct<NotFound | Removed | MissingPart | TranscriptImported | WordsNotSaid, Removals> =
  Effect.fn("Console.takeOutWords")(function* ({ form }) {
    const meeting = yield* formField(form, "meeting")
    const kind = yield* Schema.decodeUnknownEffect(RemovalKind)(form.get("taken")).pipe(
      Effect.mapError(() => new InvalidForm({ message: `taken must be one of ${kinds.join(", ")}.` }))
    )
    const [second, words] = [form.get("second")?.trim() ?? "", form.get("words") ?? ""]
    const at = secondsOf(second)
    if (at === undefined)
      return yield* new InvalidForm({ message: `“${second}” is no time: write 1:02:03, or seconds.` })
    if (words.trim() === "") return yield* new InvalidForm({ message: "Nothing is taken out: write the words." })
    const { changed, ...out } = yield* Removals.use(({ takeOut }) => takeOut(meeting, { kind, second: at, words }))
    return {
      to: `/removals?meeting=${out.meeting}`,
      said: changed ? "The words are out of the transcript." : "They had been taken out already."
    }
  })
