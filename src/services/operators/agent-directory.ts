import { Context, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AgentAgencies, AgentPlaces } from "../../../schema/agent/directory.ts"
import { type BodyRow, bodyRef, type PlaceRow, placeRef } from "../meetings/refs.ts"
import { meetingsHeld, placesOf } from "../meetings/sql.ts"
import { sent } from "../wire.ts"

/** Bodies and places per response, at most. */
const most = 200

interface AgencyRow extends BodyRow {
  readonly places: ReadonlyArray<PlaceRow>
  readonly meetings_held: number
  readonly sources: number
  readonly latest_meeting: string | null
  readonly total: number
}

interface PlaceCounts extends PlaceRow {
  readonly id: string
  readonly bodies: number
  readonly meetings_held: number
  readonly sources: number
  readonly run_id: string | null
  readonly total: number
}

/** Bodies and places by name, for operators: includes those without meetings, and shows their sources. */
export class AgentDirectory extends Context.Service<
  AgentDirectory,
  {
    readonly agencies: (query: { readonly name?: string; readonly place?: string }) => Effect.Effect<AgentAgencies>
    readonly places: (query: { readonly name?: string }) => Effect.Effect<AgentPlaces>
  }
>()("civic-record/AgentDirectory") {
  static readonly layer = Layer.effect(
    AgentDirectory,
    Effect.gen(function* () {
      const db = yield* Db

      const agencies = Effect.fn("AgentDirectory.agencies")(function* ({
        name,
        place
      }: {
        readonly name?: string
        readonly place?: string
      }) {
        const rows = yield* db<AgencyRow>`
          select b.slug, b.segment, b.name, b.kind, ${placesOf(db)} as places,
            ${meetingsHeld(db)} as meetings_held,
            (select count(distinct sb.source_id)::int from source_body sb where sb.body_id = b.id) as sources,
            (select max(m.date)::text from meeting m where m.body_id = b.id and m.status = 'held') as latest_meeting,
            (count(*) over ())::int as total
          from body b
          where ${
            name === undefined
              ? db`true`
              : db`(strpos(fold(b.name), fold(${name})) > 0 or fold(b.name) % fold(${name}))`
          }
            and ${place === undefined ? db`true` : db`b.place_slugs && array[${place}::text]`}
          order by ${name === undefined ? db`meetings_held desc` : db`similarity(fold(b.name), fold(${name})) desc`},
            b.name, b.slug limit ${most}`
        return {
          total: rows[0]?.total ?? 0,
          agencies: rows.map(({ places, meetings_held, sources, latest_meeting, total, ...body }) => ({
            agency: { ...bodyRef(body, places[0]?.slug), places: places.map(placeRef), meetings_held },
            ...sent({ sources, latest_meeting })
          }))
        }
      }, dbDies)

      const places = Effect.fn("AgentDirectory.places")(function* ({ name }: { readonly name?: string }) {
        const rows = yield* db<PlaceCounts>`
          select p.uuid as id, p.slug, p.name, p.kind, p.state, p.county,
            (select count(*)::int from body_place bp where bp.place_id = p.id) as bodies,
            (select coalesce(sum(h.held), 0)::int from body_place bp join body_held h on h.body_id = bp.body_id
              where bp.place_id = p.id) as meetings_held,
            (select count(*)::int from source s where s.place_id = p.id) as sources,
            (select r.id from completion_run r where r.place_id = p.id and r.ended_at is null) as run_id,
            (count(*) over ())::int as total
          from place p
          where ${
            name === undefined
              ? db`true`
              : db`(strpos(fold(p.name), fold(${name})) > 0 or fold(p.name) % fold(${name}))`
          }
          order by ${name === undefined ? db`meetings_held desc` : db`similarity(fold(p.name), fold(${name})) desc`},
            p.name, p.slug limit ${most}`
        return {
          total: rows[0]?.total ?? 0,
          places: rows.map(({ id, bodies, meetings_held, sources, run_id, total, ...place }) => ({
            id,
            ...placeRef(place),
            bodies,
            meetings_held,
            ...sent({ sources, run_id })
          }))
        }
      }, dbDies)

      return { agencies, places }
    })
  )
}
