import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import { Environment } from "../../layers/config/config.ts"
import { CalendarSchedule } from "../../schema/calendar.ts"
import { MediaRoute } from "../http/media/media.ts"
import { nodeServer } from "../http/node-server.ts"
import { type DrillCalendar, Drills, drillPaths } from "../services/operators/drills.ts"

/** How long the service may take to answer a request for its calendar. */
const longestWait = 5000

const isSchedule = Schema.is(CalendarSchedule)

/** Whether the service at an origin serves this drill. Any answer is not enough: it must be this drill's. */
const servesDrill = (origin: string, token: string, id: string) =>
  Effect.tryPromise(async () => {
    const answer = await fetch(origin + drillPaths(token).schedule, { signal: AbortSignal.timeout(longestWait) })
    const schedule: unknown = await answer.json()
    return isSchedule(schedule) && schedule.meetings.some((meeting) => meeting.id === id)
  }).pipe(Effect.orElseSucceed(() => false))

/** Serves only the addresses of drills, for as long as the scope: on this machine, on any free port. */
const ownServer = Effect.gen(function* () {
  const drills = yield* Drills
  const part = (name: keyof DrillCalendar) =>
    HttpRouter.add("GET", `/api/drills/:token/${name}`, () =>
      Effect.gen(function* () {
        const { token = "" } = yield* HttpRouter.params
        const calendar = yield* drills.calendar(token)
        return yield* HttpServerResponse.json(calendar[name])
      }).pipe(Effect.orElseSucceed(() => HttpServerResponse.empty({ status: 404 })))
    )
  const served = HttpRouter.serve(Layer.mergeAll(MediaRoute, part("schedule"), part("meeting")), {
    disableLogger: true,
    disableListenLog: true
  }).pipe(
    Layer.provideMerge(nodeServer({ host: "127.0.0.1", port: 0 })),
    Layer.provide(NodeHttpServer.layerHttpServices),
    // Nobody stands before it who could send the bytes.
    Layer.provide(Layer.succeed(Environment, { ...(yield* Environment), mediaHandoff: "none" }))
  )
  const { address } = Context.get(yield* Layer.build(served), HttpServer.HttpServer)
  return `http://127.0.0.1:${"port" in address ? address.port : 0}`
})

/**
 * Serves a drill's calendar and returns its address: the service's own if the service answers there, else one that this
 * process serves until the scope closes.
 */
export const drillOrigin = Effect.fn("Drill.origin")(function* (
  { id, token }: { readonly id: string; readonly token: string },
  calendarAt: (origin: string) => DrillCalendar
) {
  const drills = yield* Drills
  const { baseUrl } = yield* Environment
  yield* drills.serve(id, baseUrl, calendarAt(baseUrl))
  if (yield* servesDrill(baseUrl, token, id)) return baseUrl
  const origin = yield* ownServer
  yield* drills.serve(id, origin, calendarAt(origin))
  return origin
})
