import type { AgentTask } from "../../schema/agent/task.ts"
import { type El, el, heading, type Kid } from "../page-tree/tree.ts"
import { pager } from "../pages/parts/pager.ts"
import { withQuery } from "../pages/query.ts"
import { plural } from "../pages/said.ts"

/** An instant to the second, in UTC. */
export const when = (instant: string | undefined): Kid =>
  instant === undefined ? "–" : el("time", { datetime: instant, class: "num" }, instant.slice(0, 19).replace("T", " "))

/** Millionths of a US dollar. */
export const money = (micros: number): string => `$${(micros / 1e6).toFixed(2)}`

/** The beginning of an id, long enough to be unique in practice. */
export const short = (id: string): string => id.slice(-8)

/** A state as a word; its color only repeats it. */
export const state = (name: string): El => el("span", { class: `state ${name}` }, name.replaceAll("_", " "))

/**
 * A table; a sentence if it has no rows. On a small screen each row is a list of its cells under the names of their
 * columns; the roles keep it a table for people who hear it.
 */
export const table = (
  name: string,
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<Kid>>,
  empty: string
): Kid =>
  rows.length === 0
    ? el("p", { class: "note" }, empty)
    : el(
        "div",
        { class: "scroll", role: "region", "aria-label": name, tabindex: 0 },
        el(
          "table",
          { role: "table" },
          el(
            "thead",
            { role: "rowgroup" },
            el(
              "tr",
              { role: "row" },
              columns.map((column) => el("th", { scope: "col", role: "columnheader" }, column))
            )
          ),
          el(
            "tbody",
            { role: "rowgroup" },
            rows.map((row) =>
              el(
                "tr",
                { role: "row" },
                row.map((cell, at) => el("td", { role: "cell", "data-column": columns[at] ?? "" }, cell))
              )
            )
          )
        )
      )

/** A part of a page under a heading. */
export const part = (title: Kid, ...kids: ReadonlyArray<Kid>): El =>
  el("section", { class: "piece" }, heading(title), kids)

/** A list of facts, each a name and a value. */
export const facts = (all: ReadonlyArray<readonly [name: string, value: Kid]>): El =>
  el(
    "dl",
    { class: "facts" },
    all.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))
  )

interface Button {
  readonly to: string
  readonly label: string
  /** The object of the button, for people who do not see the row it stands in. */
  readonly about?: string
  readonly fields?: Readonly<Record<string, string>>
  /** A secondary action. */
  readonly quiet?: boolean
}

/** A button that changes something, in a form of its own. */
export const button = ({ to, label, about, fields = {}, quiet = false }: Button): El =>
  el(
    "form",
    { method: "post", action: to, class: "inline" },
    Object.entries(fields).map(([name, value]) => el("input", { type: "hidden", name, value })),
    el(
      "button",
      { type: "submit", ...(quiet ? { class: "plain" } : {}) },
      label,
      about !== undefined && el("span", { class: "unseen" }, ` ${about}`)
    )
  )

interface Field {
  readonly name: string
  /** Where a page has the field twice. */
  readonly id?: string
  readonly label: string
  readonly value?: string | undefined
  readonly hint?: string
  readonly optional?: boolean
  /** The choices: value and label. A field without choices is a line of text. */
  readonly options?: ReadonlyArray<readonly [value: string, label: string]>
}

/** A labeled field; its id is its name, unless another is given. */
export const field = ({ name, id = name, label, value, hint, optional = false, options }: Field): El =>
  el(
    "div",
    { class: "field" },
    el("label", { for: id }, label),
    options === undefined
      ? el("input", {
          type: "text",
          id,
          name,
          value,
          required: !optional,
          autocomplete: "off",
          ...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` })
        })
      : el(
          "select",
          { id, name },
          options.map(([one, text]) => el("option", { value: one, selected: one === (value ?? "") }, text))
        ),
    hint !== undefined && el("span", { class: "note", id: `${id}-hint` }, hint)
  )

/** A form that changes something. */
export const form = (to: string, label: string, ...fields: ReadonlyArray<Kid>): El =>
  el("form", { method: "post", action: to, class: "fields" }, fields, el("button", { type: "submit" }, label))

/** A form that changes nothing: the filters of a list. */
export const filters = (to: string, ...fields: ReadonlyArray<Kid>): El =>
  el("form", { method: "get", action: to, class: "fields filters" }, fields, el("button", { type: "submit" }, "Show"))

/** The options of an optional filter. */
export const anyOr = (values: ReadonlyArray<string>): ReadonlyArray<readonly [string, string]> => [
  ["", "Any"],
  ...values.map((value) => [value, value.replaceAll("_", " ")] as const)
]

/** The page number that an address asks for, from 1. */
export const pageOf = (query: URLSearchParams): number => {
  const page = Number(query.get("page") ?? 1)
  return Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1
}

/** The total, and links to the other pages. */
export const paging = (
  {
    path,
    query,
    page,
    size,
    total
  }: {
    readonly path: string
    readonly query: URLSearchParams
    readonly page: number
    readonly size: number
    readonly total: number
  },
  one: string
): Kid => [
  el("p", { class: "note", role: "status" }, plural(total, one)),
  pager({
    page,
    pages: Math.max(1, Math.ceil(total / size)),
    path: (to) => withQuery(path, { ...Object.fromEntries(query), page: to })
  })
]

/** A task by its stage, linked to its page. */
export const taskLink = ({ id, stage }: AgentTask): Kid => [
  el("a", { href: `/tasks/${id}` }, stage),
  el("span", { class: "unseen" }, ` ${short(id)}`)
]

/** The subject of a task by its name, linked to its page. */
export const subjectLink = ({ flow_kind, meeting_id, source_id, run_id, about }: AgentTask): Kid => {
  const to = [
    meeting_id === undefined ? undefined : `/meetings/${meeting_id}`,
    source_id === undefined ? undefined : `/sources/${source_id}`,
    run_id === undefined ? undefined : `/runs/${run_id}`
  ].find((path) => path !== undefined)
  return to === undefined ? (about ?? flow_kind) : [`${flow_kind} `, el("a", { href: to }, about ?? short(to))]
}

/** Rows of tasks. */
export const taskTable = (name: string, tasks: ReadonlyArray<AgentTask>, empty: string): Kid =>
  table(
    name,
    ["Stage", "Of", "State", "Tries", "Due", "Ended", "Why"],
    tasks.map((task) => [
      taskLink(task),
      subjectLink(task),
      [state(task.state), task.state === "running" && ` ${Math.round(task.progress * 100)} %`],
      String(task.attempts),
      when(task.due_at),
      when(task.ended_at),
      task.failure ?? task.reason ?? ""
    ]),
    empty
  )
