import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Environment } from "../../../layers/config/config.ts"
import { BrowsePage } from "../../../schema/browse.ts"
import { CurrentViewer } from "../../api/access.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { Browse } from "../../services/search/browse.ts"
import { asTyped } from "../as-typed.ts"
import { cursorLinks, pageLinks } from "../links.ts"

export const BrowseLive = HttpApiBuilder.group(
  Api,
  "browse",
  Effect.fnUntraced(function* (handlers) {
    const browse = yield* Browse
    const { baseUrl } = yield* Environment
    return handlers.handleAll({
      search: Effect.fnUntraced(function* ({ query, request }) {
        const body = yield* Effect.mapError(browse.search(query, yield* CurrentViewer), wire)
        const address = new URL(request.url, baseUrl)
        const paging = { total: body.groups_total ?? body.total, page: body.page, pageSize: body.page_size }
        const link = query.after === undefined ? pageLinks(address, paging) : cursorLinks(address, body.after)
        return asTyped(BrowsePage)(body, { link })
      })
    })
  })
)
