import { Effect } from "effect"
import { el, type Kid } from "../../page-tree/tree.ts"
import { SavedSearches } from "../../services/accounts/saved-searches.ts"
import { plainDate } from "../said.ts"
import { act, byApi, field, form } from "./form.ts"
import { type LoadTask, taskPage, type Visit } from "./task.ts"

const path = "/account/searches"

/** `/account/searches` */
export const loadSearches: LoadTask<SavedSearches> = Effect.fn("AccountPage.searches")(function* (visit) {
  const { saved_searches } = yield* (yield* SavedSearches).list(visit.reader)
  return taskPage(
    visit,
    { path, title: "Saved searches", description: "Searches that you keep, to be told what they find." },
    el("p", {}, "What they newly find is mailed to you: ", el("a", { href: "/account/mail" }, "choose how often"), "."),
    saved_searches.length === 0
      ? el(
          "p",
          {},
          "You have saved no search yet. ",
          el("a", { href: "/browse" }, "Search the meetings"),
          ", then press “Save this search”."
        )
      : el(
          "ul",
          { class: "dotted" },
          saved_searches.map(({ id, name, path: found, created_at }) =>
            el(
              "li",
              {},
              el("a", { href: found }, name),
              " ",
              el("span", { class: "num" }, `Saved on ${plainDate(created_at.slice(0, 10))}`),
              " ",
              el(
                "a",
                { class: "minor", href: `${path}/${id}` },
                "Rename or delete",
                el("span", { class: "unseen" }, ` ${name}`)
              )
            )
          )
        ),
    byApi("To save one", "POST /api/me/saved-searches")
  )
})

const gone: Kid = el("p", {}, "This search is no longer saved. ", el("a", { href: path }, "Your saved searches"))

/** `/account/searches/{id}`: one search, to rename or delete. */
export const loadSearch: LoadTask<SavedSearches> = Effect.fn("AccountPage.search")(function* (visit: Visit) {
  const { saved_searches } = yield* (yield* SavedSearches).list(visit.reader)
  const search = saved_searches.find(({ id }) => id === visit.params.id)
  const page = taskPage(
    visit,
    { path: `${path}/${visit.params.id}`, title: "Saved search", description: "Rename or delete a saved search." },
    search === undefined
      ? gone
      : [
          el("p", {}, el("a", { href: search.path }, search.name)),
          form(
            `${path}/${search.id}`,
            "Save the name",
            field(visit, { name: "name", label: "Name", value: search.name, autocomplete: "off", maxlength: 120 })
          ),
          el("p", {}, "Deleting it ends the mails about what it finds."),
          act(`${path}/${search.id}/remove`, "Delete the search", {})
        ],
    byApi("To delete it", `DELETE /api/me/saved-searches/${visit.params.id}`)
  )
  return search === undefined && visit.refused === undefined ? { ...page, status: 404 } : page
})
