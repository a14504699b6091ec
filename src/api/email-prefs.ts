import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EmailPreferences, UpdateEmailPrefsRequest } from "../../schema/account.ts"
import { Access } from "./access.ts"
import { Forbidden, Internal, Unauthorized, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOnly } from "./security.ts"

const path = "/api/me/email-prefs"
const shared = { success: EmailPreferences, error: [Unauthorized, Forbidden, Internal, Unavailable] } as const

/** Spec 4.8: what an account wants to be mailed, and how often. */
export const EmailPrefsGroup = HttpApiGroup.make("email_prefs")
  .add(
    HttpApiEndpoint.get("get", path, shared).annotateMerge(
      OpenApi.annotations({
        identifier: "getEmailPrefs",
        summary: "Get e-mail preferences",
        description:
          "`recaps` says how often recaps of held meetings are mailed for what the account follows: `each` as it comes on record, `daily` or `weekly` in one mail, or `off` (the default). `saved_searches` says how often new results of saved searches are mailed: `daily` (the default), `weekly` or `off`. Daily mails go out at 07:00 local time, weekly ones on Mondays."
      })
    ),
    HttpApiEndpoint.put("update", path, { ...shared, payload: UpdateEmailPrefsRequest }).annotateMerge(
      OpenApi.annotations({
        identifier: "updateEmailPrefs",
        summary: "Change e-mail preferences",
        description: "Changes the preferences that are sent and keeps the others. Returns all of them."
      })
    )
  )
  .annotateEndpoints(Security, sessionOnly)
  .middleware(Access)
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({ title: "E-mail preferences", description: "What the account is mailed, and how often." })
  )
