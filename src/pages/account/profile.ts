import { Effect } from "effect"
import { el } from "../../page-tree/tree.ts"
import { Accounts } from "../../services/accounts/accounts.ts"
import { act, byApi, field, form } from "./form.ts"
import { type LoadTask, taskPage } from "./task.ts"

/** `/account/name` */
export const loadName: LoadTask<Accounts> = Effect.fn("AccountPage.name")(function* (visit) {
  const { name } = yield* (yield* Accounts).get(visit.reader)
  return taskPage(
    visit,
    { path: "/account/name", title: "Name", description: "The name of your account." },
    el("p", {}, name === undefined ? "Your account has no name." : `Your name is ${name}.`),
    form(
      "/account/name",
      "Save the name",
      field(visit, {
        name: "name",
        label: "Your name",
        hint: "Nobody else sees it. Leave it empty to remove it.",
        value: name,
        autocomplete: "name",
        maxlength: 120
      })
    ),
    byApi("To change it", "PATCH /api/me/account")
  )
})

/** `/account/phone` */
export const loadPhone: LoadTask<Accounts> = Effect.fn("AccountPage.phone")(function* (visit) {
  const { phone } = yield* (yield* Accounts).get(visit.reader)
  return taskPage(
    visit,
    { path: "/account/phone", title: "Phone number", description: "The phone number of your account." },
    el("p", {}, phone === undefined ? "Your account has no phone number." : `Your phone number is ${phone}.`),
    form(
      "/account/phone",
      "Save the number",
      field(visit, {
        name: "phone",
        label: "Phone number",
        hint: "With a plus sign and the country code, such as +1 217 555 0123. It is kept with your account and shown to nobody.",
        type: "tel",
        value: phone,
        autocomplete: "tel",
        maxlength: 32
      })
    ),
    phone !== undefined && act("/account/phone/remove", "Remove the number", {}),
    byApi("To change it", "PUT /api/me/account/phone")
  )
})
