import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Environment } from "../../../layers/config/config.ts"
import { Upcoming as UpcomingList } from "../../../schema/browse.ts"
import { Api } from "../../api/api.ts"
import { announcedCalendar } from "../../pages/feeds/calendar.ts"
import type { Directory } from "../../services/directory/directory.ts"
import { Upcoming } from "../../services/directory/upcoming.ts"
import { asTyped } from "../as-typed.ts"
import { pageLinks } from "../links.ts"

export const UpcomingLive = HttpApiBuilder.group(
  Api,
  "upcoming",
  Effect.fnUntraced(function* (handlers) {
    const upcoming = yield* Upcoming
    const { baseUrl } = yield* Environment
    const services = yield* Effect.context<Directory | Environment | Upcoming>()
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query, request }) {
        const { list, bodies, page, pageSize } = yield* upcoming.list(query)
        const link = pageLinks(new URL(request.url, baseUrl), { total: bodies, page, pageSize })
        return asTyped(UpcomingList)(list, { link })
      }),

      calendar: Effect.fnUntraced(function* ({ query }) {
        const { contentType, text } = yield* Effect.provideContext(announcedCalendar(query), services)
        return HttpServerResponse.text(text, { contentType })
      })
    })
  })
)
