import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MistakeReport, ReportMistakeRequest } from "../../schema/mistake-report.ts"
import { Access } from "./access.ts"
import { Forbidden, Gone, Internal, NotFound, RateLimited, Unauthorized, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOnly } from "./security.ts"

/** What a reader does about a wrong word. */
export const MistakesGroup = HttpApiGroup.make("mistakes")
  .add(
    HttpApiEndpoint.post("report", "/api/mistake-reports", {
      payload: ReportMistakeRequest,
      success: MistakeReport.pipe(HttpApiSchema.status(201)),
      error: [Unauthorized, Forbidden, NotFound, Gone, RateLimited, Internal, Unavailable]
    })
      .annotate(Security, sessionOnly)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "reportMistake",
          summary: "Report a mistake",
          description:
            "Tells the operators what is wrong with a meeting's record: in plain text, with the second and the words that it is about. An operator listens there, and settles it. An account can send at most 20 reports a day; they are in its export, and are deleted 90 days after they were settled."
        })
      )
  )
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "Mistakes", description: "Telling the operators what is wrong." }))
