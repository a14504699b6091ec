import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EmailPreferences, UpdateEmailPrefsRequest } from "../../schema/account.ts"
import { Access } from "./access.ts"
import { Forbidden, Internal, Unauthorized, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOnly } from "./security.ts"

const path = "/api/me/email-prefs"
const shared = { success: EmailPreferences, error: [Unauthorized, Forbidden, Internal, Unavailable] } as const

/** Spec 4.8: what an account wants to be mailed. */
export const EmailPrefsGroup = HttpApiGroup.make("email_prefs")
  .add(
    HttpApiEndpoint.get("get", path, shared).annotateMerge(
      OpenApi.annotations({
        identifier: "getEmailPrefs",
        summary: "What is mailed, and how often",
        description:
          "`recaps`: of each held meeting of what is followed, as it comes on record, in one mail a day or a week, or not at all (which holds until it is set). `saved_searches`: what saved searches newly found, daily unless it is set. Daily mails leave at 07:00 local time, weekly ones on Mondays."
      })
    ),
    HttpApiEndpoint.put("update", path, { ...shared, payload: UpdateEmailPrefsRequest }).annotateMerge(
      OpenApi.annotations({
        identifier: "updateEmailPrefs",
        summary: "Change what is mailed",
        description: "Changes what is given and leaves the rest; answers with the whole."
      })
    )
  )
  .annotateEndpoints(Security, sessionOnly)
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(OpenApi.annotations({ title: "E-mail preferences", description: "What an account is mailed." }))
