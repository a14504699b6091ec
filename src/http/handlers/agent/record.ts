import { Effect } from "effect"
import { HttpApiBuilder, HttpApiSchema } from "effect/http-api"
import { Environment } from "../../../../layers/config/config.ts"
import { Api } from "../../../api/api.ts"
import { wire } from "../../../failures/failures.ts"
import { Costs } from "../../../services/making/costs.ts"
import { AgentDirectory } from "../../../services/operators/agent-directory.ts"
import { MeetingList } from "../../../services/operators/meeting-list.ts"
import { MeetingView } from "../../../services/operators/meeting-view.ts"
import { SettingFamilies } from "../../../services/settings/setting-families.ts"
import { Sources } from "../../../services/sources/sources.ts"
import { pageLinks } from "../../links.ts"

export const AgentRecordLive = HttpApiBuilder.group(
  Api,
  "agent_record",
  Effect.fnUntraced(function* (handlers) {
    const meetings = yield* MeetingList
    const views = yield* MeetingView
    const costs = yield* Costs
    const sources = yield* Sources
    const directory = yield* AgentDirectory
    const settings = yield* SettingFamilies
    const { baseUrl } = yield* Environment
    /** A page with links to its neighbors; `total` counts the entries of all pages. */
    const paged = <Page extends { readonly page: number; readonly page_size: number }>(
      body: Page,
      url: string,
      total: number
    ) => {
      const link = pageLinks(new URL(url, baseUrl), { total, page: body.page, pageSize: body.page_size })
      return HttpApiSchema.withHeaders({ body, headers: { link } })
    }
    return handlers.handleAll({
      meetings: ({ query, request }) =>
        Effect.map(meetings.list(query), (page) => paged(page, request.url, page.groups_total ?? page.total)),
      gaps: () => meetings.gaps,
      meeting: ({ params }) => Effect.mapError(views.meeting(params.id), wire),
      costs: ({ query }) => costs.costs(query.group ?? "day"),
      sources: ({ query, request }) => Effect.map(sources.list(query), (page) => paged(page, request.url, page.total)),
      agencies: ({ query }) => directory.agencies(query),
      places: ({ query }) => directory.places(query),
      models: () => costs.models,
      settings: ({ params }) => Effect.mapError(settings.family(params.family), wire)
    })
  })
)
