import { Effect } from "effect"
import { el, heading } from "../page-tree/tree.ts"
import { number, plural } from "../pages/said.ts"
import { AddressCheck, kindNames } from "../services/sources/address-check.ts"
import { isPaired } from "../services/sources/channels.ts"
import type { ConsoleLoad } from "./page.ts"
import { field, filters, form, part, table } from "./parts.ts"
import { asWebAddress, bodiesField, placeField } from "./source-changes.ts"

/** `/sources/find`: the calendars behind an address, with a form for each that adds it. Keeps nothing by itself. */
export const loadFoundSources: ConsoleLoad<never, AddressCheck> = Effect.fn("Console.findSources")(function* ({
  query
}) {
  const typed = asWebAddress(query.get("url") ?? "")
  const { found, unread } =
    typed === undefined ? { found: [], unread: [] } : yield* AddressCheck.use(({ find }) => find(typed))
  return {
    title: "Find a calendar",
    section: "/sources",
    main: [
      heading("Find a calendar"),
      filters(
        "/sources/find",
        field({ name: "url", label: "Any address that leads to the meetings", value: query.get("url") ?? "" })
      ),
      typed === undefined && el("p", {}, "Give an http or https address, such as that of the city's page of agendas."),
      ...found.map(({ kind, url, bodies, total, meetings }, at) =>
        part(
          kindNames[kind],
          el("p", {}, el("a", { href: url, rel: "noreferrer" }, url)),
          el("p", {}, `${plural(bodies.length, "body", "bodies")}: ${bodies.slice(0, 30).join(", ")}`),
          el("p", {}, `${number(total)} meetings from a year ago to a year from now; those nearest to today:`),
          table(
            "Meetings",
            ["Date", "Time", "Body", "Title", "Has"],
            meetings.map((meeting) => [
              meeting.date,
              meeting.time ?? "–",
              meeting.body,
              meeting.isCancelled ? `${meeting.title} (cancelled)` : meeting.title,
              meeting.parts.join(", ") || "–"
            ]),
            "None."
          ),
          form(
            "/sources",
            "Add it",
            el("input", { type: "hidden", name: "kind", value: kind }),
            el("input", { type: "hidden", name: "url", value: url }),
            el("input", { type: "hidden", name: "anyway", value: "found" }),
            placeField({ id: `place-${at}` }),
            field({ name: "hours", id: `hours-${at}`, label: "Hours between crawls", value: "6" }),
            isPaired(kind) && bodiesField([], `bodies-${at}`)
          )
        )
      ),
      unread.length > 0 &&
        part(
          "Not read",
          el(
            "ul",
            {},
            unread.map(({ url, seems, nextStep }) => el("li", {}, `${url}: ${seems} ${nextStep}`))
          )
        )
    ]
  }
})
