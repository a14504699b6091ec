import { assert, expect, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import type { OpenApi } from "effect/http-api"
import { Sessions } from "../../src/services/accounts/sessions.ts"
import { Shares } from "../../src/services/accounts/shares.ts"
import {
  bearer,
  type Credentials,
  grantTo,
  keptBy,
  nobody,
  reader,
  readyClip,
  session,
  shareCookie,
  shareToken
} from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { meetingId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { machine, type Operated, operated } from "../support/operators.ts"
import { serviceAddress, TestService } from "../support/service.ts"
import { callsOf, id, send } from "./calls.ts"

/** Runs an effect as if it were that many days ago. */
const daysAgo =
  (days: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Clock.Clock, (clock) => {
      const before = clock.currentTimeMillisUnsafe() - days * 86_400_000
      return Effect.provideService(effect, Clock.Clock, {
        currentTimeMillisUnsafe: () => before,
        currentTimeMillis: Effect.succeed(before),
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        currentTimeNanos: clock.currentTimeNanos,
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      })
    })

/** Every kind of caller, each with the credentials it would send. */
const callers = Effect.fnUntraced(function* (operators: Operated) {
  const sessions = yield* Sessions
  const shares = yield* Shares
  const live = yield* reader()
  const ended = yield* reader()
  yield* sessions.end(ended.token)
  const lapsed = yield* daysAgo(31)(reader())
  const redeemed = yield* grantTo(id)
  const { cookie } = yield* shares.redeem(redeemed)
  const foreign = yield* grantTo(meetingId("bare"))
  const { cookie: foreignCookie } = yield* shares.redeem(yield* grantTo(meetingId("bare")))
  const old = yield* daysAgo(15)(
    Effect.flatMap(grantTo(id), (token) => Effect.map(shares.redeem(token), ({ cookie }) => cookie))
  )
  return {
    nobody,
    session: live.credentials,
    "ended session": session(ended.token),
    "lapsed session": session(lapsed.token),
    "forged session": session(`${live.token.slice(0, -1)}${live.token.endsWith("A") ? "B" : "A"}`),
    grant: shareToken(yield* grantTo(id)),
    "expired grant": shareToken(yield* daysAgo(15)(grantTo(id))),
    "redeemed grant": shareToken(redeemed),
    "forged grant": shareToken(`${foreign.slice(0, -1)}${foreign.endsWith("A") ? "B" : "A"}`),
    "foreign grant": shareToken(foreign),
    cr_share: shareCookie(cookie),
    "expired cr_share": shareCookie(old),
    "forged cr_share": shareCookie("B".repeat(43)),
    "foreign cr_share": shareCookie(foreignCookie),
    "unknown agent token": bearer(`cr_agent_${"c".repeat(43)}`),
    "read-only agent token": operators.readOnly,
    "run's agent token": operators.ofRun,
    "other run's agent token": (yield* machine(operators.otherRun)).credentials,
    "revoked agent token": operators.revoked
  } satisfies Record<string, Credentials>
})

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "access to operations",
  (it) => {
    it.effect(
      "is as the table beside this says, for every operation and every caller",
      () =>
        Effect.gen(function* () {
          const operators = yield* operated
          let everyone = yield* callers(operators)
          const { credentials } = yield* reader()
          const document = (yield* ask(
            `${yield* serviceAddress}/openapi.json`
          )).json() as unknown as OpenApi.OpenAPISpec
          const operations = Object.values(document.paths).flatMap(({ get, put, post, patch, delete: remove }) =>
            [get, put, post, patch, remove].flatMap((operation) => operation ?? [])
          )
          const header = ["operation", "security", ...Object.keys(everyone)]
          const rows = yield* Effect.forEach(
            operations.sort((a, b) => (a.operationId < b.operationId ? -1 : 1)),
            Effect.fnUntraced(function* ({ operationId, security }) {
              const answers = yield* Effect.forEach(
                Object.values(everyone),
                Effect.fnUntraced(function* (who) {
                  // A new grant each, a search and a clip to remove: redeeming uses up the one, removing removes the
                  // others.
                  const kept = /^(removeSavedSearch|endSession)$/.test(operationId)
                    ? yield* keptBy((yield* reader()).accountId)
                    : { search: "", session: "" }
                  const clip = /Clip/.test(operationId) ? yield* readyClip((yield* reader()).accountId, id) : noClip
                  const grant = operationId === "redeemShare" ? yield* grantTo(id) : ""
                  const call = callsOf(credentials, grant, kept, clip, operators)[operationId]?.good
                  assert.isDefined(call, operationId)
                  if (call === undefined) return ""
                  const { status, json } = yield* send({ ...call, who })
                  if (status >= 400) return `${status} ${String(json().error)}`
                  if (operationId === "getSession") return json().account === undefined ? "200 nobody" : "200 account"
                  const gated = operationId === "getMeeting" ? json().gated : undefined
                  return gated === undefined ? String(status) : gated === true ? "200 teaser" : "200 record"
                })
              )
              if (endsSessions.includes(operationId)) everyone = yield* callers(operators)
              return [operationId, schemesOf(security), ...answers]
            })
          )
          const table = [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
          yield* Effect.promise(() => expect(`${table}\n`).toMatchFileSnapshot("access-matrix.txt"))
        }),
      { timeout: 240_000 }
    )
  }
)

const noClip = { id: "", slug: "" }

/** These end the session, and others of its account too. */
const endsSessions = ["deleteAccount", "logOut", "setPassword"]

/** The credentials that the document lists; an empty alternative is an anonymous caller. */
const schemesOf = (security: ReadonlyArray<object> | undefined): string =>
  security === undefined || security.length === 0
    ? "none"
    : security.map((alternative) => Object.keys(alternative).join(" and ") || "anonymous").join(" or ")
