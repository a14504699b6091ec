import type { Meeting } from "../../../schema/meeting.ts"
import { parseSearchQuery, wantedWords } from "../../../schema/search-query.ts"
import type { Transcript } from "../../../schema/transcript.ts"
import { type El, el, heading, type Kid, prose, web } from "../../page-tree/tree.ts"
import { type CaptionsView, captionsView, namesIn } from "../../text/captions-view.ts"
import { marked, together } from "../parts/marked.ts"
import { clock, plural, removalKinds } from "../said.ts"
import { reportMistake } from "./cite.ts"
import { part } from "./part.ts"
import { selectionBar } from "./tools.ts"
import { meant, type Turn, turnsOf } from "./turns.ts"
import { isRecord, type MeetingView, type RecordView } from "./view.ts"

/** Above this many turns, a browser lays out only those near the screen. */
const many = 200

/** The turns around the one that is asked for, more than a screen has. */
const around = 20

const linked = (name: string, href: string | undefined): Kid => (href === undefined ? name : el("a", { href }, name))

/** The pages of the speakers who are somebody in public office, by their names as written. */
const pathsOf = ({ speakers = [] }: Transcript): ReadonlyMap<string, string> =>
  new Map(speakers.flatMap(({ name, person }) => (person === undefined ? [] : [[name, person.path] as const])))

const turnOf = (
  { start, speaker, goesOn, text, segments, lengths }: Turn,
  fromAsked: number,
  words: ReadonlyArray<string>,
  paths: ReadonlyMap<string, string>
): El =>
  el(
    "p",
    {
      class: Math.abs(fromAsked) <= around ? "turn near" : "turn",
      // A tenth of a second distinguishes turns; the words' own times are exact.
      "data-s": Math.floor(start * 10) / 10,
      "data-n": segments,
      "data-to": lengths,
      "data-goes-on": speaker !== undefined && goesOn ? true : undefined,
      ...(fromAsked === 0 ? { id: "said", "aria-current": true } : {})
    },
    web(el("a", { class: "moment", href: `?t=${Math.floor(start)}#said` }, clock(start))),
    prose(clock(start)),
    " ",
    speaker !== undefined && !goesOn && [el("strong", {}, linked(speaker, paths.get(speaker))), prose(": ")],
    el("span", {}, marked(text, words))
  )

/** Useless without scripts, so a script shows it. `length` is that of the recording, in seconds. */
const search = (q: string, length: number, hasRecording: boolean): El =>
  web(
    el(
      "search",
      { class: "in-transcript", "data-search": true, "data-length": length, hidden: true },
      el(
        "div",
        { class: "row" },
        el("label", { for: "within" }, "Find in this transcript"),
        el("input", {
          id: "within",
          type: "search",
          value: q === "" ? undefined : q,
          autocomplete: "off",
          spellcheck: "false"
        }),
        el("button", { type: "button", "data-step": -1 }, "Previous"),
        el("button", { type: "button", "data-step": 1 }, "Next"),
        el("output", { for: "within", role: "status", "data-count": true }),
        hasRecording &&
          el(
            "button",
            { type: "button", class: "follow", "data-follow": true, "aria-pressed": true },
            "Follow the recording"
          )
      ),
      length > 0 && el("div", { class: "ruler", "aria-hidden": true, "data-ruler": true })
    )
  )

/** How much was taken out of it: `2 home addresses and 1 phone number were removed from this transcript.` */
const removed = (removals: NonNullable<Transcript["removals"]>): string => {
  const named = removals.map(({ kind, count }) => plural(count, ...removalKinds[kind]))
  const isOne = removals.length === 1 && removals[0].count === 1
  return `${inWords.format(named)} ${isOne ? "was" : "were"} removed from this transcript. `
}

const inWords = new Intl.ListFormat("en-US", { type: "conjunction" })

/** What the page shows otherwise than the record has it. */
const viewed = ({ recased, repeats, segments }: CaptionsView): string => {
  const told = [
    recased && "capitals are in sentence case",
    segments.some(({ begins }) => begins === true) && "“>>” begins a new speaker",
    repeats > 0 && (repeats === 1 ? "1 repeated line is left out" : `${repeats} repeated lines are left out`)
  ].filter((one) => one !== false)
  return told.length === 0 ? "" : `For reading, ${inWords.format(told)}; the files below are as on record. `
}

/** Names that the record knows, for captions in capitals. */
const namesOf = ({ meeting, transcript, newsletter, recap }: RecordView): ReadonlyArray<string> => {
  const topics = newsletter === undefined || newsletter.pending_verification ? [] : newsletter.topics
  const sentences = topics.flatMap(({ sentences }) => sentences.map(({ text }) => text))
  const { body, places, county } = meeting
  return [
    ...[body.name, county ?? "", ...places.map(({ name }) => name)],
    ...(transcript?.segments.flatMap(({ speaker }) => speaker ?? []) ?? []),
    ...namesIn([...sentences, ...(recap === undefined ? [] : [recap.summary])])
  ]
}

/** Who wrote a transcript; what only rules went over is as it was heard. */
const writtenBy = (generator: string): string => {
  const rules = / \(rules\)$/.exec(generator)
  return rules === null
    ? `Written by ${generator}. `
    : `As it was heard: no model has corrected it (${generator.slice(0, rules.index)}). `
}

const about = (view: RecordView, shown: CaptionsView, isNamed: boolean): Kid => {
  const { meeting, transcript: said, video } = view
  const { links, transcript, path } = meeting
  return el(
    "p",
    { class: "note" },
    transcript !== undefined && `${plural(transcript.word_count, "word")}. `,
    transcript?.version === "raw" && "As speech recognition wrote it: nobody has gone over it. ",
    transcript?.generator !== undefined && writtenBy(transcript.generator),
    said?.removals !== undefined && removed(said.removals),
    !isNamed && "The speakers are not named. ",
    viewed(shown),
    video === undefined
      ? "There is no recording of this meeting here; the times are those of its source. "
      : prose("The times below open the recording as ", el("code", {}, `${path}?t=SECONDS`), ". "),
    links.transcript !== undefined && [
      "Also as ",
      el("a", { href: `${links.transcript}?format=vtt` }, "WebVTT"),
      ", ",
      el("a", { href: `${links.transcript}?format=srt` }, "SRT"),
      " and ",
      el("a", { href: `${links.transcript}?format=txt` }, "plain text"),
      "."
    ]
  )
}

const why = ({ status, has }: Meeting): string => {
  if (status === "cancelled") return "The meeting was cancelled, so there is nothing to transcribe."
  if (status === "upcoming") return "The meeting has not been held yet. Its transcript will follow its recording."
  return has.video
    ? "The recording has not been transcribed yet. Its transcript will appear here."
    : "There is no recording of this meeting on record, so there is nothing to transcribe. If the body publishes one, it will appear here."
}

/** The transcript by chapter and turn; if there is none, the reason. */
export const transcript = (view: MeetingView): Kid => {
  const { meeting, at } = view
  if (!meeting.has.transcript) return part("transcript", "Transcript", el("p", { class: "checked" }, why(meeting)))
  if (!isRecord(view) || view.transcript === undefined) return false
  const shown = captionsView(view.transcript.segments, new Set(namesOf(view)))
  const turns = turnsOf(shown.segments, meeting.chapters)
  const paths = pathsOf(view.transcript)
  const second = at === undefined ? -1 : meant(at, view.transcript.segments)
  const asked = turns.findLastIndex(({ start }) => start <= second)
  const words = wantedWords(parseSearchQuery(view.q))
  const isWhole =
    words.length < 2
      ? []
      : together(
          turns.map(({ text }) => text),
          words
        )
  // Words that are said together somewhere are marked there, and where the page opens.
  const isMarked = (turn: number): boolean =>
    !isWhole.includes(true) || isWhole[turn] === true || turn === asked || turn === asked + 1
  return part(
    "transcript",
    "Transcript",
    about(
      view,
      shown,
      turns.some(({ speaker }) => speaker !== undefined)
    ),
    reportMistake(view),
    search(view.q, meeting.duration ?? view.transcript.segments.at(-1)?.end ?? 0, view.video !== undefined),
    web(el("a", { class: "unseen", href: "#cite" }, "Skip the transcript")),
    el(
      "div",
      {
        class: turns.length > many ? "turns long" : "turns",
        "data-turns": true,
        "data-words": meeting.links.transcript
      },
      turns.map((turn, index) => [
        turn.opens !== undefined && el("section", {}, heading(turn.opens)),
        turnOf(turn, asked < 0 ? Number.NaN : index - asked, isMarked(index) ? words : [], paths)
      ]),
      selectionBar(view)
    )
  )
}
