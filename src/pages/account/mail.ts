import { Effect } from "effect"
import { el } from "../../page-tree/tree.ts"
import { EmailPrefs } from "../../services/accounts/email-prefs.ts"
import { byApi, choice, form } from "./form.ts"
import { type LoadTask, taskPage } from "./task.ts"

const recaps = {
  each: "After each meeting",
  daily: "Once a day",
  weekly: "Once a week",
  off: "Never"
}
const savedSearches = { daily: "Once a day, if there is something new", weekly: "Once a week", off: "Never" }

/** `/account/mail` */
export const loadMail: LoadTask<EmailPrefs> = Effect.fn("AccountPage.mail")(function* (visit) {
  const prefs = yield* (yield* EmailPrefs).get(visit.reader)
  return taskPage(
    visit,
    { path: "/account/mail", title: "E-mail preferences", description: "What is mailed to you, and how often." },
    el(
      "ul",
      { class: "points" },
      el("li", {}, `Recaps of what you follow: ${recaps[prefs.recaps].toLowerCase()}.`),
      el("li", {}, `What your saved searches find: ${savedSearches[prefs.saved_searches].toLowerCase()}.`)
    ),
    form(
      "/account/mail",
      "Save the preferences",
      choice(visit, {
        name: "recaps",
        legend: "Recaps of the meetings of what you follow",
        chosen: prefs.recaps,
        options: recaps
      }),
      choice(visit, {
        name: "saved_searches",
        legend: "What your saved searches find",
        chosen: prefs.saved_searches,
        options: savedSearches
      })
    ),
    byApi("To change them", "PUT /api/me/email-prefs")
  )
})
