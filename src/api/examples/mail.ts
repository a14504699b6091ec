import type { EmailPreferences } from "../../../schema/account.ts"
import type { SavedSearch, SavedSearches } from "../../../schema/saved-search.ts"

const prefs: EmailPreferences = { recaps: "daily", saved_searches: "weekly" }

const search: SavedSearch = {
  id: "5d0c3c8e-95a0-4b5c-9d9e-2f6c5b0f7a11",
  name: "Greenway news",
  query: "city=Springfield&q=greenway",
  path: "/browse?city=Springfield&q=greenway",
  created_at: "2026-03-12T08:15:00Z"
}

const page = "<!doctype html>…"

/** Responses about what an account is mailed, by `operationId`. */
export const mailExamples = {
  getEmailPrefs: prefs,
  updateEmailPrefs: prefs,
  listSavedSearches: { saved_searches: [search] } satisfies SavedSearches,
  saveSearch: search,
  showUnsubscribe: page,
  unsubscribe: page
}
