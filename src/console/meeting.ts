import { Effect } from "effect"
import { el, heading } from "../page-tree/tree.ts"
import { number, plural } from "../pages/said.ts"
import type { NotFound, Removed, UnknownAgency } from "../services/failures.ts"
import { type InvalidCorrection, MeetingCorrections } from "../services/feed/meeting-corrections.ts"
import { MeetingRemoval } from "../services/feed/meeting-removal.ts"
import { MeetingView } from "../services/operators/meeting-view.ts"
import { formField, optionalField } from "./forms.ts"
import type { ConsoleAct, ConsoleLoad } from "./page.ts"
import { facts, field, form, money, part, state, table, taskTable, when } from "./parts.ts"

/** `/meetings/{id}`: a meeting as the pipeline sees it, with the form that corrects it. */
export const loadMeeting: ConsoleLoad<NotFound | Removed, MeetingView> = Effect.fn("Console.meeting")(function* ({
  params
}) {
  const { meeting, gaps, flows, parts, media, versions, source, costs } = yield* (yield* MeetingView).meeting(
    params.id ?? ""
  )
  const { id } = meeting
  return {
    title: `${meeting.title}, ${meeting.date}`,
    section: "/meetings",
    main: [
      heading(`${meeting.title}, ${meeting.date}`),
      facts([
        ["Body", `${meeting.body.name} (${meeting.body.slug})`],
        ["Status", state(meeting.status)],
        ["Id", el("code", {}, id)],
        ["Address", el("code", {}, meeting.path)],
        ["Lacks", gaps.length === 0 ? "nothing" : gaps.join(", ").replaceAll("_", " ")],
        [
          "Source",
          source === undefined
            ? "imported"
            : [el("a", { href: `/sources/${source.id}` }, source.source_body), " seen ", when(source.seen_at)]
        ],
        ["Model calls", `${money(costs.cost_micros)} for ${plural(costs.calls, "call")}`],
        ["Taken out of its transcript", el("a", { href: `/removals?meeting=${id}` }, "Removals")],
        ["Log", el("a", { href: `/logs?meeting_id=${id}` }, "Lines about it")]
      ]),
      part(
        "Correct it",
        el("p", { class: "note" }, "Its id and every address it had keep leading to it."),
        form(
          `/meetings/${id}`,
          "Correct it",
          field({ name: "title", label: "Title", value: meeting.title }),
          field({ name: "date", label: "Date", value: meeting.date, hint: "YYYY-MM-DD" }),
          field({ name: "agency", label: "Slug of its body", value: meeting.body.slug })
        ),
        el("p", {}, el("a", { href: `/meetings/${id}/recording` }, "Give it a recording")),
        el("p", {}, el("a", { href: `/meetings/${id}/takedown` }, "Take it off the record"))
      ),
      flows.map(({ kind, state: how, created_at, tasks }) =>
        part(
          [`${kind.replaceAll("_", " ")} `, state(how)],
          el("p", { class: "note" }, "Since ", when(created_at)),
          taskTable(
            `Tasks of ${kind} since ${created_at}`,
            tasks.map(({ task }) => task),
            "It has no tasks."
          )
        )
      ),
      part(
        "What there is",
        table(
          "What there is",
          ["Part", "Version", "State", "How many", "Made by"],
          parts.map((one) => [
            one.part.replaceAll("_", " "),
            one.version ?? "",
            one.state ?? "",
            number(one.count),
            one.generator ?? ""
          ]),
          "Nothing was made of it yet."
        ),
        table(
          "Media",
          ["Role", "Key", "Bytes"],
          media.map(({ role, key, bytes }) => [role, el("code", {}, key), number(bytes)]),
          "It has no media."
        ),
        versions.length > 0 &&
          table(
            "What its source has replaced",
            ["Replaced", "Part", "It was at", "Bytes", "Kept as"],
            versions.map(({ replaced_at, part, address, bytes, key }) => [
              when(replaced_at),
              part,
              address,
              number(bytes),
              key === undefined ? "–" : el("code", {}, key)
            ]),
            ""
          )
      )
    ]
  }
})

export const correctMeeting: ConsoleAct<NotFound | Removed | UnknownAgency | InvalidCorrection, MeetingCorrections> =
  Effect.fn("Console.correctMeeting")(function* ({ params, form }) {
    const id = params.id ?? ""
    const correction = {
      title: yield* optionalField(form, "title"),
      date: yield* optionalField(form, "date"),
      agency: yield* optionalField(form, "agency")
    }
    const correcting = (yield* MeetingCorrections).correct(id, correction)
    const { changed, after } = yield* correcting
    return {
      to: `/meetings/${id}`,
      said: changed ? `It is corrected, at ${after.address}.` : "It was like this already."
    }
  })

/** `/meetings/{id}/takedown`: asks for the reason shown to readers. */
export const loadTakedown: ConsoleLoad<NotFound | Removed, MeetingView> = Effect.fn("Console.takedown")(function* ({
  params
}) {
  const { meeting, parts, media } = yield* (yield* MeetingView).meeting(params.id ?? "")
  return {
    title: `Take down ${meeting.title}`,
    section: "/meetings",
    main: [
      heading("Take it off the record?"),
      el("p", { class: "lede" }, `${meeting.body.name}: ${meeting.title}, ${meeting.date}`),
      facts([
        ["What goes with it", parts.map(({ part }) => part.replaceAll("_", " ")).join(", ") || "nothing else"],
        ["Media that are deleted", number(media.length)]
      ]),
      el("p", {}, "Its addresses answer 410 with the reason from then on. Only an import brings it back."),
      form(
        `/meetings/${meeting.id}/takedown`,
        "Take it down",
        field({ name: "reason", label: "Reason", hint: "One sentence. Readers who open the meeting are shown it." })
      ),
      el("p", {}, el("a", { href: `/meetings/${meeting.id}` }, "Leave it on the record"))
    ]
  }
})

export const takeMeetingDown: ConsoleAct<NotFound | Removed, MeetingRemoval> = Effect.fn("Console.takeMeetingDown")(
  function* ({ params, form }) {
    const reason = (yield* formField(form, "reason")).replace(/\s+/g, " ").slice(0, 500)
    const { slug } = yield* (yield* MeetingRemoval).remove(params.id ?? "", reason)
    return { to: "/meetings", said: `${slug} is off the record. Its addresses answer 410 with the reason.` }
  }
)
