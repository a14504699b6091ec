import { el, type Kid, web } from "../../page-tree/tree.ts"

/** A calendar at its absolute address. */
interface CalendarAt {
  readonly address: string
  readonly name: string
}

/** A list of calendars that reads an address by itself; each asks its user before it subscribes. */
const programs: ReadonlyArray<readonly [name: string, link: (calendar: CalendarAt) => string]> = [
  ["Calendar app", ({ address }) => webcal(address)],
  [
    "Google Calendar",
    ({ address }) => `https://calendar.google.com/calendar/r?${new URLSearchParams({ cid: webcal(address) })}`
  ],
  ["Outlook.com", (calendar) => outlook("outlook.live.com", calendar)],
  ["Microsoft 365", (calendar) => outlook("outlook.office.com", calendar)]
]

/** The scheme that calendar programs register to be opened by; without it, a browser downloads the file once. */
const webcal = (address: string): string => address.replace(/^https?:/, "webcal:")

const outlook = (host: string, { address, name }: CalendarAt): string =>
  `https://${host}/calendar/0/addfromweb?${new URLSearchParams({ url: address, name })}`

/** What adds a calendar to a program, and a button that copies its address, for any other (`src/client/copying.ts`). */
export const addCalendar = (calendar: CalendarAt): Kid =>
  web(
    el(
      "div",
      { class: "add-calendar" },
      el("p", { class: "label", id: "add-calendar" }, "Add to your calendar, and keep it up to date"),
      el(
        "ul",
        { class: "ways", "aria-labelledby": "add-calendar" },
        programs.map(([name, link]) => el("li", {}, el("a", { href: link(calendar), rel: "external" }, name))),
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", class: "linklike", "data-copy": calendar.address, hidden: true },
            "Copy its address"
          )
        )
      ),
      el("p", { class: "say", role: "status", "data-say": true })
    )
  )

interface Subscribable {
  /** `BASE_URL`, without a trailing slash. */
  readonly base: string
  readonly name: string
  /** The paths of the calendar and, if there is one, of the feed. */
  readonly calendar: string
  readonly feed?: string
}

/** The calendar and the feed of a page, and ways to subscribe. */
export const subscribe = ({ base, name, calendar, feed }: Subscribable): Kid => [
  el(
    "ul",
    { class: "ways", inline: true, "aria-label": "Subscribe" },
    el("li", {}, el("a", { href: calendar }, "Calendar")),
    feed !== undefined && el("li", {}, el("a", { href: feed }, "Feed"))
  ),
  addCalendar({ address: base + calendar, name })
]
