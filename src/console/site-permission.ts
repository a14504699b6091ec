import { Effect } from "effect"
import type { AgentSource } from "../../schema/agent/directory.ts"
import { el, type Kid } from "../page-tree/tree.ts"
import type { NotFound } from "../services/failures.ts"
import { permissionSaid, SitePermissions } from "../services/sources/site-permissions.ts"
import { formField } from "./forms.ts"
import type { ConsoleAct } from "./page.ts"
import { button, facts, field, form, part, when } from "./parts.ts"

/** An operator's word that a source's site may be read, with how to take it back; else where it is given. */
export const permissionPart = ({ id, permitted }: AgentSource): Kid => {
  const to = `/sources/${id}/permission`
  if (permitted === undefined) {
    return part(
      "Its robots.txt",
      el("p", {}, "It is obeyed. If the site refuses programs and you may read it all the same, say why."),
      form(to, "Read it all the same", field({ name: "why", label: "Why you may: it is our own site, say" }))
    )
  }
  const { at, by, why } = permitted
  return part(
    "Its robots.txt",
    el("p", {}, "Where it refuses programs, the site is read all the same, at most every ten seconds."),
    facts([
      ["Permitted by", by],
      ["When", when(at)],
      ["Why", why]
    ]),
    button({ to: `${to}/withdraw`, label: "Obey it again", quiet: true })
  )
}

/** Records that a source's site may be read although its robots.txt refuses programs. */
export const permitSource: ConsoleAct<NotFound, SitePermissions> = Effect.fn("Console.permitSource")(function* ({
  params,
  form
}) {
  const id = params.id ?? ""
  const why = yield* formField(form, "why")
  yield* SitePermissions.use(({ permit }) => permit(id, why))
  return {
    to: `/sources/${id}`,
    said: permissionSaid.kept
  }
})

export const withdrawPermission: ConsoleAct<NotFound, SitePermissions> = Effect.fn("Console.withdrawPermission")(
  function* ({ params }) {
    const id = params.id ?? ""
    const changed = yield* SitePermissions.use(({ withdraw }) => withdraw(id))
    return { to: `/sources/${id}`, said: permissionSaid.withdrawn(changed) }
  }
)
