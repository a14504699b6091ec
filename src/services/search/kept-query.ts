import { Struct } from "effect"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import { activeFilters } from "./filters.ts"

/**
 * What a query asks for and nothing else: its words, with single spaces, and its active filters. Two queries that find the
 * same for the same reasons have one, whichever page of it they show and however they group it.
 */
export const canonicalQuery = (query: BrowseQuery): BrowseQuery => {
  const q = (query.q ?? "").trim().replace(/\s+/gu, " ")
  return {
    ...(q === "" ? {} : { q }),
    ...Struct.pick(
      query,
      activeFilters(query).map(({ name }) => name)
    )
  }
}

const longestName = 120

/** What a search is called that its reader did not name, in at most 120 characters: `“greenway”, Springfield, 2026`. */
export const nameOfQuery = (query: BrowseQuery): string => {
  const words = [
    ...(query.q === undefined ? [] : [`“${query.q}”`]),
    ...activeFilters(query).flatMap(({ words }) => words)
  ]
  const name = [...new Set(words)].filter((word) => word.trim() !== "").join(", ")
  if (name === "") return "All meetings"
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name
}
