import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CalendarMeeting, CalendarSchedule } from "../../schema/calendar.ts"
import { Internal, NotFound, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Surface } from "./surface.ts"

const params = {
  token: Schema.String.check(Schema.isMaxLength(512)).pipe(
    Schema.annotateKey({
      description: "The token of a drill that is running, from `GET /api/agent/drills`.",
      examples: ["k1.0199d3f0-0000-7000-8000-00000000000e.uJx0"]
    })
  )
}
const error = [NotFound, Internal, Unavailable] as const

/** Spec 4.8: the calendar of a drill's made-up body. */
export const DrillsGroup = HttpApiGroup.make("drills")
  .add(
    HttpApiEndpoint.get("schedule", "/api/drills/:token/schedule", {
      params,
      success: CalendarSchedule,
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getDrillSchedule",
        summary: "Get a drill's schedule",
        description:
          "Returns the schedule of the made-up body of a drill, as a source of the kind `json` serves it. Returns 404 once the drill has ended."
      })
    ),
    HttpApiEndpoint.get("meeting", "/api/drills/:token/meeting", {
      params,
      success: CalendarMeeting,
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "getDrillMeeting",
        summary: "Get a drill's meeting",
        description:
          "Returns the made-up meeting of a drill, with the addresses of its recording and agenda. Returns 404 once the drill has ended."
      })
    )
  )
  .annotateEndpoints(Surface, "uncached")
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({
      title: "Drills",
      description: "Rehearsals: a made-up body's calendar, at a secret address for as long as the drill runs."
    })
  )
