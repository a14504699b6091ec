import { createHash, randomBytes } from "node:crypto"
import { Context, Data, Effect, Layer, Option } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { completionRunNotFound, type NotFound, tokenNotFound } from "../failures.ts"
import { Operator, recordAction } from "../history.ts"
import { idOf } from "../meetings/sql.ts"
import { given, type Sent, sent } from "../wire.ts"

/** A request to the operators' API without a token. */
export class AgentTokenRequired extends Data.TaggedError("AgentTokenRequired") {}

/** A token that is unknown or was revoked. */
export class AgentTokenInvalid extends Data.TaggedError("AgentTokenInvalid") {}

/** A completion operation with a token that was not minted for its run. */
export class AgentTokenReadOnly extends Data.TaggedError("AgentTokenReadOnly") {}

/** The caller of the operators' API: a machine, and the one completion run that it may change. */
export interface Agent {
  /** Undefined for an operator at the console, who has no token; `machine` is then the operator's name. */
  readonly tokenId: string | undefined
  readonly machine: string
  readonly runId: string | undefined
}

/** The prefix of every token, so that secret scanners can recognize one. */
const prefix = "cr_agent_"
const form = /^cr_agent_[A-Za-z0-9_-]{43}$/

/** Seconds between two writes of a token's last use, so that not every request causes a write. */
const noteUseEvery = 60

/** A token has 256 random bits, so its hash needs no salt. */
const hashOf = (token: string): Uint8Array => createHash("sha256").update(token).digest()

interface TokenRow {
  readonly id: string
  readonly machine: string
  readonly run_id: string | null
  readonly created_by: string
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
}

/** Tokens of machines that operate the service (contract section 9). */
export class AgentTokens extends Context.Service<
  AgentTokens,
  {
    /**
     * Mints a token for a machine; with `run`, it may complete that run. The token itself is returned once and never
     * stored.
     */
    readonly mint: (options: {
      readonly machine: string
      readonly run?: string | undefined
    }) => Effect.Effect<{ readonly id: string; readonly token: string }, NotFound>
    /** All tokens without their secrets, newest first; at most 500. */
    readonly list: Effect.Effect<ReadonlyArray<Sent<TokenRow>>>
    /** Revokes a token immediately. Revoking it again changes nothing. */
    readonly revoke: (id: string) => Effect.Effect<void, NotFound>
    /** The holder of a live token; notes that the token was used. */
    readonly holder: (token: string) => Effect.Effect<Option.Option<Agent>>
  }
>()("civic-record/AgentTokens") {
  static readonly layer = Layer.effect(
    AgentTokens,
    Effect.gen(function* () {
      const db = yield* Db

      const mint = Effect.fn("AgentTokens.mint")(
        function* ({ machine, run }: { readonly machine: string; readonly run?: string | undefined }) {
          const by = (yield* Operator) ?? "a program"
          const token = `${prefix}${randomBytes(32).toString("base64url")}`
          const [minted] = yield* db<{ id: string }>`
          insert into agent_token (machine, token_hash, run_id, created_by)
          select ${machine}, ${hashOf(token)}, r.id, ${by}
          from (select ${run === undefined ? null : idOf(run)}::uuid as wanted) asked
          left join completion_run r on r.id = asked.wanted
          where ${run === undefined}::boolean or r.id is not null
          returning id`
          if (minted === undefined) return yield* completionRunNotFound(run ?? "")
          yield* recordAction(db, "token.mint", minted.id, { machine, ...given("run", run) })
          return { id: minted.id, token }
        },
        (minted) => dbDies(db.withTransaction(minted))
      )

      const list = db<TokenRow>`
        select id, machine, run_id, created_by, created_at, last_used_at, revoked_at
        from agent_token order by created_at desc, id desc limit 500`.pipe(
        Effect.map((rows) => rows.map(sent)),
        dbDies,
        Effect.withSpan("AgentTokens.list")
      )

      const revoke = Effect.fn("AgentTokens.revoke")(
        function* (id: string) {
          const [token] = yield* db<{ revoked_at: Date | null }>`
          select revoked_at from agent_token where id = ${idOf(id)} for no key update`
          if (token === undefined) return yield* tokenNotFound(id)
          if (token.revoked_at !== null) return
          yield* db`update agent_token set revoked_at = clock_timestamp() where id = ${idOf(id)}`
          yield* recordAction(db, "token.revoke", id)
        },
        (revoked) => dbDies(db.withTransaction(revoked))
      )

      const holder = Effect.fn("AgentTokens.holder")(function* (token: string) {
        if (!form.test(token)) return Option.none()
        const [row] = yield* db<{ id: string; machine: string; run_id: string | null; is_noted: boolean }>`
          select id, machine, run_id,
            coalesce(last_used_at > clock_timestamp() - ${noteUseEvery}::int * interval '1 second', false) as is_noted
          from agent_token where token_hash = ${hashOf(token)} and revoked_at is null`
        if (row === undefined) return Option.none()
        if (!row.is_noted) yield* db`update agent_token set last_used_at = clock_timestamp() where id = ${row.id}`
        return Option.some<Agent>({ tokenId: row.id, machine: row.machine, runId: row.run_id ?? undefined })
      }, dbDies)

      return { mint, list, revoke, holder }
    })
  )
}

/** Allows only a token that was minted for this run (contract section 9). */
export const requireRun = (agent: Agent, run: string): Effect.Effect<void, AgentTokenReadOnly> =>
  agent.runId !== undefined && agent.runId === idOf(run) ? Effect.void : Effect.fail(new AgentTokenReadOnly())
