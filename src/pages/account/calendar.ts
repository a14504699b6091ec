import { Effect } from "effect"
import { el } from "../../page-tree/tree.ts"
import { CalendarAddresses } from "../../services/accounts/calendar-addresses.ts"
import { addCalendar } from "../parts/subscribe.ts"
import { plainDate } from "../said.ts"
import { act, byApi } from "./form.ts"
import { type LoadTask, taskPage, type Visit } from "./task.ts"

const head = {
  path: "/account/calendar",
  title: "Your calendar",
  description: "The meetings of the bodies and places that you follow, for a calendar program."
} as const

const about = el(
  "p",
  {},
  "A calendar program that subscribes to this address shows the meetings of ",
  el("a", { href: "/account/follows" }, "what you follow"),
  ", as they are announced, moved, canceled and held. The address is secret: whoever has it sees what you follow."
)

/** `/account/calendar` */
export const loadCalendar: LoadTask<CalendarAddresses> = Effect.fn("AccountPage.calendar")(function* (visit) {
  const { active, created_at } = yield* (yield* CalendarAddresses).state(visit.reader)
  return taskPage(
    visit,
    head,
    about,
    active
      ? [
          el(
            "p",
            {},
            `You have had an address since ${plainDate((created_at ?? "").slice(0, 10))}. It was shown when it was made and cannot be shown again. A new one takes its place, and the old one stops answering.`
          ),
          act("/account/calendar", "Make a new address", {}),
          act("/account/calendar/remove", "Remove the address", {})
        ]
      : [el("p", {}, "You have no address yet."), act("/account/calendar", "Make an address", {})],
    byApi("To make an address", "POST /api/me/calendar")
  )
})

/** The page after an address was made, the only one that shows it. */
export const newCalendarPage = (visit: Visit, url: string) =>
  taskPage(
    visit,
    { ...head, script: "copying" },
    el("p", { class: "done", role: "status", tabindex: -1, autofocus: true }, "This is the address of your calendar."),
    el("p", {}, el("code", { class: "secret" }, url)),
    el(
      "p",
      {},
      "Copy it now into your calendar program, where it says subscribe, or add a calendar by address. It is not shown again."
    ),
    addCalendar({ address: url, name: "Civic Record: what you follow" }),
    about,
    el("p", {}, el("a", { href: "/account/calendar" }, "Done"))
  )
