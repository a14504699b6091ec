import { Deferred, Effect, Layer, Schema } from "effect"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { SqlError } from "effect/sql"
import { NamesBadFields } from "../../src/api/middleware.ts"
import { NamesBadFieldsLive } from "../../src/http/middleware/bad-fields.ts"

const Note = Schema.Struct({
  text: Schema.String,
  stars: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))),
  tags: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String })))
})

/** Operations that are not in the contract: a body, a fault of each kind, a response that waits. */
const ProbeApi = HttpApi.make("probe").add(
  HttpApiGroup.make("probe")
    .add(
      HttpApiEndpoint.post("note", "/probe/notes", { payload: Note, success: Note }),
      HttpApiEndpoint.get("defect", "/probe/defect", { success: Schema.String }),
      HttpApiEndpoint.get("away", "/probe/away", { success: Schema.String }),
      HttpApiEndpoint.get("syntax", "/probe/syntax", { success: Schema.String }),
      HttpApiEndpoint.get("unencodable", "/probe/unencodable", { success: Schema.Struct({ count: Schema.Int }) }),
      HttpApiEndpoint.get("slow", "/probe/slow", { success: Schema.String })
    )
    .middleware(NamesBadFields)
)

interface Gate {
  /** Done once a request has reached `/probe/slow`. */
  readonly reached: Deferred.Deferred<void>
  /** Lets it finish. */
  readonly opened: Deferred.Deferred<void>
}

const secret = "select password from account -- /srv/civic/db.ts"

export const probeRoutes = (gate?: Gate) =>
  HttpApiBuilder.layer(ProbeApi).pipe(
    Layer.provide(
      HttpApiBuilder.group(ProbeApi, "probe", (handlers) =>
        handlers.handleAll({
          note: ({ payload }) => Effect.succeed(payload),
          defect: () => Effect.die(new Error(secret)),
          away: () =>
            Effect.die(new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error(secret) }) })),
          syntax: () =>
            Effect.die(new SqlError.SqlError({ reason: new SqlError.SqlSyntaxError({ cause: new Error(secret) }) })),
          unencodable: () => Effect.succeed({ count: 1.5 }),
          slow: () =>
            gate === undefined
              ? Effect.succeed("at once")
              : Deferred.succeed(gate.reached, undefined).pipe(
                  Effect.andThen(Deferred.await(gate.opened)),
                  Effect.as("in the end")
                )
        })
      )
    ),
    Layer.provide(NamesBadFieldsLive)
  )
