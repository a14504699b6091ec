import { Effect } from "effect"
import { el, heading } from "../page-tree/tree.ts"
import { withQuery } from "../pages/query.ts"
import { number, plural } from "../pages/said.ts"
import { AgencyMerge, type SameBody } from "../services/directory/agency-merge.ts"
import { type MergedSince, type ReversalNotFound, Reversals, undoneWithin } from "../services/directory/reversals.ts"
import type { NotFound } from "../services/failures.ts"
import { AgentDirectory } from "../services/operators/agent-directory.ts"
import { formField } from "./forms.ts"
import type { ConsoleAct, ConsoleLoad } from "./page.ts"
import { button, facts, field, filters, form, part, table, when } from "./parts.ts"

/** `/bodies`: the bodies on record, and a form that previews a merge. */
export const loadBodies: ConsoleLoad<never, AgentDirectory> = Effect.fn("Console.bodies")(function* ({ query }) {
  const name = query.get("name")?.trim() || undefined
  const { total, agencies } = yield* (yield* AgentDirectory).agencies(name === undefined ? {} : { name })
  return {
    title: "Bodies",
    section: "/bodies",
    main: [
      heading("Bodies"),
      filters("/bodies", field({ name: "name", label: "Name", value: name, optional: true })),
      el("p", {}, el("a", { href: "/bodies/moves" }, "Merges and moves that can be undone")),
      el(
        "p",
        { class: "note", role: "status" },
        total > 200 ? `The best 200 of ${number(total)} bodies` : plural(total, "body", "bodies")
      ),
      table(
        "Bodies",
        ["Name", "Slug", "Places", "Meetings held", "Sources", "Latest"],
        agencies.map(({ agency, sources, latest_meeting }) => [
          el("a", { href: withQuery("/bodies/merge", { from: agency.slug }) }, agency.name),
          agency.slug,
          agency.places.map(({ name }) => name).join(", "),
          number(agency.meetings_held),
          number(sources),
          latest_meeting ?? "–"
        ]),
        "No body is called so."
      )
    ]
  }
})

/** `/bodies/merge?from&into`: a preview of a merge; with both bodies named, the button that performs it. */
export const loadMerge: ConsoleLoad<NotFound | SameBody, AgencyMerge> = Effect.fn("Console.merge")(function* ({
  query
}) {
  const [from, into] = [query.get("from")?.trim() ?? "", query.get("into")?.trim() ?? ""]
  const ask = filters(
    "/bodies/merge",
    field({ name: "from", label: "Slug of the body to merge", value: from }),
    field({ name: "into", label: "Slug of the body that remains", value: into })
  )
  const page = { title: "Merge two bodies", section: "/bodies" }
  if (from === "" || into === "") return { ...page, main: [heading("Merge two bodies"), ask] }
  const preview = yield* (yield* AgencyMerge).preview(from, into)
  return {
    ...page,
    main: [
      heading("Merge two bodies"),
      ask,
      part(
        `${preview.from.name} becomes ${preview.into.name}`,
        facts([
          ["Meetings that move", number(preview.meetings)],
          ["Readers who follow it", number(preview.followers)],
          ["Names that sources list it under", number(preview.source_bodies)],
          ["Slugs that lead to the other from then on", preview.slugs.join(", ")]
        ]),
        el("p", {}, `A merge can be undone for ${undoneWithin} days.`),
        form(
          "/bodies/merge",
          "Merge them",
          el("input", { type: "hidden", name: "from", value: preview.from.slug }),
          el("input", { type: "hidden", name: "into", value: preview.into.slug })
        )
      )
    ]
  }
})

export const mergeBodies: ConsoleAct<NotFound | SameBody, AgencyMerge> = Effect.fn("Console.mergeBodies")(function* ({
  form
}) {
  const from = yield* formField(form, "from")
  const into = yield* formField(form, "into")
  const { meetings } = yield* (yield* AgencyMerge).merge(from, into)
  return { to: "/bodies/moves", said: `${from} was merged into ${into}: ${plural(meetings, "meeting")} moved.` }
})

/** `/bodies/moves`: merges of bodies and moves of meetings, each with the button that undoes it. */
export const loadMoves: ConsoleLoad<never, Reversals> = Effect.fn("Console.moves")(function* () {
  const moves = yield* Reversals.use(({ list }) => list)
  return {
    title: "Merges and moves",
    section: "/bodies",
    main: [
      heading("Merges and moves"),
      table(
        "Merges and moves",
        ["When", "Who", "What", "From", "To", "Meetings", "Names of sources", ""],
        moves.map(({ id, at, operator, kind, from_slug, into_slug, meetings, sources, undone_at }) => [
          when(at.toISOString()),
          operator,
          kind,
          from_slug,
          into_slug,
          number(meetings),
          number(sources),
          undone_at === null
            ? button({ to: `/bodies/moves/${id}/undo`, label: "Undo", about: `${kind} of ${from_slug}` })
            : ["undone ", when(undone_at.toISOString())]
        ]),
        "Nothing was merged or moved lately."
      )
    ]
  }
})

/** Undoes a merge or a move. */
export const undoMove: ConsoleAct<ReversalNotFound | MergedSince, Reversals> = Effect.fn("Console.undoMove")(
  function* ({ params }) {
    const { undone_at, from_slug, returned } = yield* Reversals.use(({ undo }) => undo(params.id ?? ""))
    const said =
      undone_at === null ? `Undone: ${plural(returned, "meeting")} back at ${from_slug}.` : "It was undone before."
    return { to: "/bodies/moves", said }
  }
)
