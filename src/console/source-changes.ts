import { Effect } from "effect"
import type { AgentSource, SourceKind } from "../../schema/agent/directory.ts"
import { el, heading } from "../page-tree/tree.ts"
import { number, plural } from "../pages/said.ts"
import type { NotFound, UnknownAgency } from "../services/failures.ts"
import { AddressCheck, type NoCalendarThere } from "../services/sources/address-check.ts"
import { ChannelRecordings } from "../services/sources/channel-recordings.ts"
import { isPaired } from "../services/sources/channels.ts"
import { SourceChanges, type SourceKnown } from "../services/sources/source-changes.ts"
import { Sources } from "../services/sources/sources.ts"
import { type PlaceUnclear, type TypedPlace, TypedPlaces } from "../services/sources/typed-places.ts"
import { formField, InvalidForm, optionalField } from "./forms.ts"
import type { ConsoleAct, ConsoleLoad } from "./page.ts"
import { facts, field, form } from "./parts.ts"

/** A source as operators know it: whose calendar it is, and where. */
export const nameOf = ({ place, url }: Pick<AgentSource, "place" | "url">): string => {
  const at = URL.parse(url)
  return `${place.name}, ${at === null ? url : at.host + at.pathname}`
}

/** A typed text, if it is an http or https address. */
export const asWebAddress = (text: string): string | undefined =>
  /^https?:$/.test(URL.parse(text.trim())?.protocol ?? "") ? text.trim() : undefined

/** The address that was typed. */
export const webAddress = Effect.fnUntraced(function* (form: URLSearchParams) {
  const url = asWebAddress(yield* formField(form, "url"))
  return url ?? (yield* new InvalidForm({ message: "url must be an http or https address." }))
})

/** The place that was typed; it need not be on record. */
export const placeTyped = Effect.fnUntraced(function* (form: URLSearchParams) {
  const typed = yield* formField(form, "place")
  return yield* TypedPlaces.use(({ meant }) => meant(typed))
})

/** Puts the place that was typed on record, once nothing else is wrong; `said` is what came of it, to be read on. */
export const placeOnRecord = Effect.fnUntraced(function* (place: TypedPlace) {
  const { slug, isNew } = yield* TypedPlaces.use(({ onRecord }) => onRecord(place))
  return { slug, said: isNew ? `${place.name}, ${place.state}, is now on record as ${slug}. ` : "" }
})

/** The time between crawls that was typed, in seconds. */
export const secondsBetween = Effect.fnUntraced(function* (form: URLSearchParams) {
  const hours = Number(yield* formField(form, "hours"))
  return hours >= 0.1 && hours <= 8760
    ? Math.round(hours * 3600)
    : yield* new InvalidForm({ message: "hours must be from 0.1 to 8760." })
})

/** Where the place of a calendar is typed. */
export const placeField = (given: { readonly id?: string; readonly value?: string } = {}) =>
  field({ name: "place", label: "Its place", hint: "Its name and state, such as Emporia, KS, or its slug", ...given })

/** Where the bodies of a channel are typed. */
export const bodiesField = (value: ReadonlyArray<string> = [], id = "bodies") =>
  field({
    ...{ id, name: "bodies", label: "Slugs of the bodies that a channel of recordings belongs to" },
    ...{ value: value.join(" "), optional: true }
  })

/** The slugs of bodies that were typed; they must be on record, and are for channels alone. */
export const bodiesTyped = Effect.fnUntraced(function* (form: URLSearchParams, kind: SourceKind) {
  const slugs = ((yield* optionalField(form, "bodies")) ?? "").split(/[\s,]+/).filter((slug) => slug !== "")
  if (slugs.length > 0 && !isPaired(kind)) {
    return yield* new InvalidForm({ message: "bodies are for channels: of kind youtube or internet_archive." })
  }
  yield* ChannelRecordings.use(({ check }) => check(slugs))
  return slugs
})

/** Asks the address that was typed, once, and says what it has. Whoever was warned saves it without another look. */
export const asked = Effect.fnUntraced(function* (
  form: URLSearchParams,
  source: { readonly kind: SourceKind; readonly url: string; readonly place: TypedPlace }
) {
  // It was read a moment ago.
  if (form.get("anyway") === "found") return ""
  if (form.get("anyway") === "yes") {
    return "Its address was saved although it was not found to be such a calendar: look here after the next crawl."
  }
  const meetings = yield* AddressCheck.use(({ check }) => check(source))
  return `Its address has ${plural(meetings, "meeting")} from a year ago to a year from now.`
})

/** Pauses a source, or has it crawled again. */
export const pauseSource = (paused: boolean): ConsoleAct<NotFound, Sources> =>
  Effect.fn("Console.pauseSource")(function* ({ params }) {
    const id = params.id ?? ""
    yield* (yield* Sources).pause(id, paused)
    return { to: `/sources/${id}`, said: paused ? "It is no longer crawled." : "It is crawled next." }
  })

/** Corrects a source. A new address is asked first, as that of a new source is. */
export const editSource: ConsoleAct<
  NotFound | NoCalendarThere | PlaceUnclear | SourceKnown | UnknownAgency,
  Sources | SourceChanges | AddressCheck | ChannelRecordings | TypedPlaces
> = Effect.fn("Console.editSource")(function* ({ params, form }) {
  const id = params.id ?? ""
  const { kind, url: before } = yield* (yield* Sources).source(id)
  const url = yield* webAddress(form)
  const place = yield* placeTyped(form)
  const everySeconds = yield* secondsBetween(form)
  const answer = url === before ? "" : yield* asked(form, { kind, url, place })
  const bodies = yield* bodiesTyped(form, kind)
  const { slug, said } = yield* placeOnRecord(place)
  const edited = yield* SourceChanges.use(({ edit }) => edit(id, { url, place: slug, everySeconds }))
  // A form without the field changes none of them.
  const owned =
    form.has("bodies") && isPaired(kind)
      ? yield* ChannelRecordings.use(({ belongsTo }) => belongsTo(id, bodies))
      : false
  const changed = edited || owned
  return {
    to: `/sources/${id}`,
    said: changed ? `It is corrected. ${said}${answer}`.trim() : "It was like this already."
  }
})

/** `/sources/{id}/remove`: says what goes with it and what stays, before it is removed. */
export const loadSourceRemoval: ConsoleLoad<NotFound, Sources | SourceChanges> = Effect.fn("Console.sourceRemoval")(
  function* ({ params }) {
    const source = yield* (yield* Sources).source(params.id ?? "")
    const { meetings, notImported, bodies } = yield* SourceChanges.use(({ brought }) => brought(source.id))
    return {
      title: `Remove ${nameOf(source)}`,
      section: "/sources",
      main: [
        heading("Remove this source?"),
        el("p", { class: "lede" }, `${nameOf(source)}: ${source.url}`),
        facts([
          ["Meetings that stay on record", number(meetings)],
          ["Listed meetings that are forgotten", number(notImported)],
          ["Names of bodies that are forgotten", number(bodies)]
        ]),
        el(
          "p",
          {},
          "What it brought stays as it is, and is no longer corrected from there. To only stop crawling it, pause it."
        ),
        form(`/sources/${source.id}/remove`, "Remove it"),
        el("p", {}, el("a", { href: `/sources/${source.id}` }, "Leave it"))
      ]
    }
  }
)

export const removeSource: ConsoleAct<NotFound, SourceChanges> = Effect.fn("Console.removeSource")(function* ({
  params
}) {
  const { url, meetings } = yield* SourceChanges.use(({ remove }) => remove(params.id ?? ""))
  return { to: "/sources", said: `${url} is removed. ${plural(meetings, "meeting")} of it stay on record.` }
})
