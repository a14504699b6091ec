import { DateTime, Effect, Result, Schema } from "effect"
import { dbDies } from "../../layers/db/db.ts"
import type { AgentTask } from "../../schema/agent/task.ts"
import { CalendarDate } from "../../schema/primitives.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import { number, plural } from "../pages/said.ts"
import type { NotFound } from "../services/failures.ts"
import { Flows, type NewerFlow } from "../services/queue/flows.ts"
import { estimateSaid, PastEstimates, type PastRefused } from "../services/sources/past-estimate.ts"
import { type PastProgress, SourcePast } from "../services/sources/source-past.ts"
import { Sources } from "../services/sources/sources.ts"
import { formField, InvalidForm, optionalField } from "./forms.ts"
import type { ConsoleAct, ConsoleLoad } from "./page.ts"
import { button, facts, field, filters, form, part, state, taskLink } from "./parts.ts"
import { nameOf } from "./source-changes.ts"

const isUnderWay = (task: AgentTask | undefined): boolean =>
  task !== undefined && ["blocked", "waiting", "running"].includes(task.state)

/** The past of a source that is brought on record: how far it is, how to stop it, and where more is asked for. */
export const pastPart = (id: string, past: PastProgress | undefined): Kid => {
  const to = `/sources/${id}/past`
  const days = [
    field({ name: "from", id: "past-from", label: "First day, YYYY-MM-DD", value: past?.from }),
    field({ name: "to", id: "past-to", label: "Last day, or today", value: past?.to, optional: true })
  ]
  const ask = filters(to, ...days)
  if (past === undefined) return part("The past", el("p", {}, "None was asked for; crawls bring a year."), ask)
  const { from, left, task } = past
  const isListed = left === null
  return part(
    "The past",
    facts([
      ["Asked for", `${from} to ${past.to}`],
      ["Listed", isListed ? "all of it" : `${Math.floor(100 * past.share)} %, the newest first`],
      ["Still to be listed", isListed ? "nothing" : `${from} to ${left}: ${plural(past.days_left, "day")}`],
      ["Meetings listed", `${number(past.listed)}, of which ${number(past.on_record)} are on record`],
      ["Still being made", number(past.making)],
      [
        "Its task",
        task === undefined ? "–" : [taskLink(task), " ", state(task.state), ` ${task.failure ?? task.reason ?? ""}`]
      ]
    ]),
    !isListed &&
      el(
        "div",
        { class: "actions" },
        isUnderWay(task)
          ? button({ to: `${to}/stop`, label: "Stop it", quiet: true })
          : button({ to, label: "Go on where it stopped", fields: { from, to: past.to } })
      ),
    ask
  )
}

const today = Effect.map(DateTime.now, DateTime.formatIsoDate)

const isDay = Schema.is(CalendarDate)

/** `/sources/{id}/past`: what the days that are asked for take, and the button that begins with them. */
export const loadPast: ConsoleLoad<NotFound | PastRefused, Sources | PastEstimates> = Effect.fn("Console.sourcePast")(
  function* ({ params, query }) {
    const source = yield* (yield* Sources).source(params.id ?? "")
    const from = query.get("from")?.trim() ?? ""
    const to = query.get("to")?.trim() || (yield* today)
    const estimates = yield* PastEstimates
    const asked = { source: source.id, from, to }
    const isAsked = isDay(from) && isDay(to)
    const estimate = isAsked
      ? yield* Effect.result(Effect.catchTag(estimates.of(asked), "PastRefused", Effect.fail))
      : undefined
    const failure = estimate !== undefined && Result.isFailure(estimate) ? estimate.failure : undefined
    if (failure !== undefined && failure._tag !== "NoCalendarThere") return yield* failure
    const path = `/sources/${source.id}/past`
    return {
      title: `The past of ${nameOf(source)}`,
      section: "/sources",
      main: [
        heading(`The past of ${nameOf(source)}`),
        filters(
          path,
          field({ name: "from", id: "past-from", label: "First day, YYYY-MM-DD", value: from }),
          field({ name: "to", id: "past-to", label: "Last day", value: to })
        ),
        !isAsked && el("p", { role: "alert" }, "from and to must be days that exist, such as 2019-01-01."),
        failure !== undefined && el("p", { role: "alert" }, `It could not be estimated. ${failure.message}`),
        estimate !== undefined &&
          Result.isSuccess(estimate) && [
            el("p", {}, `${from} to ${to}, as its newest and its oldest days let expect:`),
            el(
              "ul",
              {},
              estimateSaid(estimate.success).map((line) => el("li", {}, line))
            )
          ],
        isAsked && [
          el(
            "p",
            { class: "note" },
            "Its meetings come on record after all newer work, the newest first. budget.DailyMicros bounds what models cost a day."
          ),
          form(
            path,
            "Begin",
            el("input", { type: "hidden", name: "from", value: from }),
            el("input", { type: "hidden", name: "to", value: to })
          )
        ],
        el("p", {}, el("a", { href: `/sources/${source.id}` }, "Back to the source"))
      ]
    }
  }
)

const day = (name: string, text: string) =>
  isDay(text)
    ? Effect.succeed(text)
    : Effect.fail(new InvalidForm({ message: `${name} must be a day that exists, such as 2019-01-01.` }))

/** Begins with the past of a source, or goes on with it. */
export const askPast: ConsoleAct<NotFound | PastRefused, PastEstimates | SourcePast> = Effect.fn("Console.askPast")(
  function* ({ params, form }) {
    const source = params.id ?? ""
    const from = yield* day("from", yield* formField(form, "from"))
    const to = yield* day("to", (yield* optionalField(form, "to")) ?? (yield* today))
    yield* PastEstimates.use(({ check }) => check({ source, from, to }))
    const left = yield* SourcePast.use(({ ask }) => ask(source, from, to))
    const said =
      left === to ? `From ${from} to ${to}` : `From ${from} on, of which those after ${left} were listed before`
    return { to: `/sources/${source}`, said: `${said}: its meetings come on record after all newer work.` }
  }
)

/** Stops the listing of a source's past; what was listed stays, and it can go on from there. */
export const stopPast: ConsoleAct<NotFound | NewerFlow, Flows | SourcePast> = Effect.fn("Console.stopPast")(function* ({
  params
}) {
  const id = params.id ?? ""
  const past = yield* SourcePast.use(({ progress }) => progress(id))
  const isStopped =
    past?.task !== undefined && (yield* dbDies(Flows.use(({ cancelTask }) => cancelTask(past.task?.id ?? "")))).changed
  const said = isStopped ? "It is stopped. What was listed stays, and it can go on from there." : "It was not running."
  return { to: `/sources/${id}`, said }
})
