import { Effect } from "effect"
import { el, heading } from "../page-tree/tree.ts"
import type { NotFound } from "../services/failures.ts"
import { AgentTokens } from "../services/operators/agent-tokens.ts"
import { Completion } from "../services/operators/runs/completion.ts"
import { formField, InvalidForm, optionalField } from "./forms.ts"
import type { ConsoleAct, ConsoleLoad } from "./page.ts"
import { button, field, form, part, short, state, table, when } from "./parts.ts"

/** `/tokens`: tokens of machines without their secrets, and the form that mints one. */
export const loadTokens: ConsoleLoad<never, AgentTokens | Completion> = Effect.fn("Console.tokens")(function* ({
  query
}) {
  const tokens = yield* (yield* AgentTokens).list
  const allRuns = yield* (yield* Completion).list
  const runs = allRuns.filter(({ ended_at }) => ended_at === undefined)
  return {
    title: "Tokens",
    section: "/tokens",
    main: [
      heading("Tokens"),
      table(
        "Tokens",
        ["Machine", "May change", "Minted", "By", "Last used", "State", "Revoke"],
        tokens.map(({ id, machine, run_id, created_at, created_by, last_used_at, revoked_at }) => [
          [machine, el("span", { class: "note" }, ` ${short(id)}`)],
          run_id === undefined
            ? "nothing"
            : el(
                "a",
                { href: `/runs/${run_id}` },
                `run of ${allRuns.find(({ id }) => id === run_id)?.place ?? short(run_id)}`
              ),
          when(created_at),
          created_by,
          when(last_used_at),
          state(revoked_at === undefined ? "live" : "revoked"),
          revoked_at === undefined &&
            button({ to: `/tokens/${id}/revoke`, label: "Revoke", about: machine, quiet: true })
        ]),
        "No token was minted yet."
      ),
      part(
        "Mint a token",
        form(
          "/tokens",
          "Mint it",
          field({ name: "machine", label: "Name of the machine" }),
          field({
            name: "run",
            label: "Completion run that it may change",
            value: query.get("run") ?? "",
            options: [
              ["", "None: it only reads"],
              ...runs.map(({ id, place }) => [id, `${place}, ${short(id)}`] as const)
            ]
          })
        )
      )
    ]
  }
})

export const mintToken: ConsoleAct<NotFound, AgentTokens> = Effect.fn("Console.mintToken")(function* ({ form }) {
  const machine = yield* formField(form, "machine")
  const run = yield* optionalField(form, "run")
  if (machine.length > 100) return yield* new InvalidForm({ message: "machine must have at most 100 characters." })
  const { token } = yield* (yield* AgentTokens).mint({ machine, run })
  return { to: "/tokens", said: `The token of ${machine}. It is shown this once: copy it now.`, secret: token }
})

export const revokeToken: ConsoleAct<NotFound, AgentTokens> = Effect.fn("Console.revokeToken")(function* ({ params }) {
  const id = params.id ?? ""
  yield* (yield* AgentTokens).revoke(id)
  return { to: "/tokens", said: "The token is revoked, and opens nothing from now on." }
})
