import { Effect } from "effect"
import type { CompletionRun } from "../../schema/agent/completion.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import { number, plural } from "../pages/said.ts"
import type { NotFound } from "../services/failures.ts"
import { Completion } from "../services/operators/runs/completion.ts"
import type { ConsoleLoad } from "./page.ts"
import { button, facts, form, part, short, state, table, taskTable, when } from "./parts.ts"
import { placeField } from "./source-changes.ts"

/** `/runs`: completion runs, and the form that starts one. */
export const loadRuns: ConsoleLoad<never, Completion> = Effect.fn("Console.runs")(function* () {
  const runs = yield* (yield* Completion).list
  return {
    title: "Runs",
    section: "/runs",
    main: [
      heading("Completion runs"),
      table(
        "Completion runs",
        ["Place", "Started", "By", "State"],
        runs.map(({ id, place, created_at, started_by, ended_at }) => [
          el("a", { href: `/runs/${id}` }, place),
          when(created_at),
          started_by,
          ended_at === undefined ? state("open") : ["ended ", when(ended_at)]
        ]),
        "No run was started yet."
      ),
      part("Start a run", form("/runs", "Start it", placeField()))
    ]
  }
})

const discoveredTable = ({ id, discovered, ended_at }: CompletionRun): Kid =>
  table(
    "Discovered meetings",
    ["Date", "Title", "Listed under", "Body on record", "Do"],
    discovered.map((found) => [
      found.date,
      found.title,
      found.source_body,
      found.agency?.slug ?? (found.same_as === undefined ? "not settled" : `like ${found.same_as.slug}`),
      ended_at === undefined &&
        el(
          "div",
          { class: "actions" },
          button({ to: `/runs/${id}/discovered/${found.id}/import`, label: "Import", about: found.title }),
          button({
            to: `/runs/${id}/discovered/${found.id}/same-body`,
            label: "Same body",
            about: found.title,
            quiet: true
          })
        )
    ]),
    "Everything that the sources show is on record."
  )

/** What a probe found, and a button for what it waits for: an operator's yes. */
const candidateTable = ({ candidates, place }: CompletionRun): Kid =>
  table(
    "Candidates",
    ["Name", "Address", "What is there", "Do"],
    candidates.map(({ name, url, calendar, failure, source_id }) => [
      name,
      el("a", { href: url, rel: "noreferrer" }, url),
      calendar === undefined
        ? (failure ?? state("waiting"))
        : `${calendar.kind}: ${plural(calendar.meetings, "meeting")} of ${calendar.bodies.join(", ")}`,
      source_id !== undefined
        ? el("a", { href: `/sources/${source_id}` }, "Source")
        : calendar !== undefined &&
          button({
            to: "/sources",
            label: "Add as a source",
            about: name,
            fields: { kind: calendar.kind, url, place: place.slug, hours: "6" }
          })
    ]),
    "No candidate was filed."
  )

const gapTable = ({ id, gaps, ended_at }: CompletionRun): Kid =>
  table(
    "Gaps",
    ["What is missing", "Meetings", "The newest", "Do"],
    gaps.map(({ gap, stage, meetings, newest: [newest] }) => [
      gap.replaceAll("_", " "),
      number(meetings),
      newest !== undefined &&
        el("a", { href: `/meetings/${newest}` }, "Open it", el("span", { class: "unseen" }, ` for ${gap}`)),
      newest !== undefined &&
        ended_at === undefined &&
        button({ to: `/runs/${id}/meetings/${newest}/rerun/${stage}`, label: `Do ${stage} for it`, quiet: true })
    ]),
    "Nothing is missing."
  )

/** `/runs/{id}`: a run, with everything its place still lacks. */
export const loadRun: ConsoleLoad<NotFound, Completion> = Effect.fn("Console.run")(function* ({ params }) {
  const run = yield* (yield* Completion).show(params.id ?? "")
  const { id, place, ended_at, started_by, created_at, discovered_total, tasks, sources, actions } = run
  const failed = tasks.filter(({ state }) => state === "failed")
  return {
    title: `Run of ${place.name}`,
    section: "/runs",
    main: [
      heading(`Completion run of ${place.name}`),
      facts([
        ["State", ended_at === undefined ? state("open") : ["ended ", when(ended_at)]],
        ["Started", [when(created_at), ` by ${started_by}`]],
        ["Id", el("code", {}, id)],
        ["Tokens", el("a", { href: `/tokens?run=${id}` }, "Mint a token that may change this run")]
      ]),
      ended_at === undefined &&
        button({ to: `/runs/${id}/end`, label: "End the run and revoke its tokens", quiet: true }),
      part(
        "Sources",
        table(
          "Sources",
          ["Address", "Last crawl", "Not imported"],
          sources.map((source) => [
            el("a", { href: `/sources/${source.id}` }, source.url),
            [when(source.crawled_at), " ", source.outcome !== undefined && state(source.outcome)],
            number(source.not_imported)
          ]),
          "The place has no source."
        )
      ),
      part("Candidates", candidateTable(run)),
      part(`Discovered (${number(discovered_total)})`, discoveredTable(run)),
      part("Gaps", gapTable(run)),
      part(
        "Tasks",
        ended_at === undefined &&
          failed.map((task) =>
            button({ to: `/runs/${id}/tasks/${task.id}/retry`, label: `Retry ${task.stage}`, about: short(task.id) })
          ),
        taskTable("Tasks", tasks, "No task is unfinished.")
      ),
      part(
        "What was done under it",
        table(
          "What was done under it",
          ["At", "Who", "What", "To", "Changed"],
          actions.map(({ at, machine, operation, subject, changed }) => [
            when(at),
            machine,
            operation,
            subject,
            changed ? "yes" : "no"
          ]),
          "Nothing was done yet."
        )
      )
    ]
  }
})
