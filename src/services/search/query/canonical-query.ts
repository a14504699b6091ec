import { Struct } from "effect"
import type { BrowseQuery } from "../../../../schema/browse-query.ts"
import { activeFilters } from "./filters.ts"

/**
 * A query reduced to the parts that decide which meetings match: its words, single-spaced, whether they are searched as
 * spelled, and its active filters. Queries that differ only in order, paging or grouping have the same one.
 */
export const canonicalQuery = (query: BrowseQuery): BrowseQuery => {
  const q = (query.q ?? "").trim().replace(/\s+/gu, " ")
  return {
    ...(q === "" ? {} : { q, ...(query.exact === "1" ? { exact: query.exact } : {}) }),
    ...Struct.pick(
      query,
      activeFilters(query).map(({ name }) => name)
    )
  }
}

/** The matters that a query follows: it asks for these, and for nothing else. */
export const followedMatters = (query: BrowseQuery): ReadonlyArray<string> => {
  const { matter = [], ...others } = canonicalQuery(query)
  return Struct.keys(others).length === 0 ? matter : []
}

/** The same for people. */
export const followedPeople = (query: BrowseQuery): ReadonlyArray<string> => {
  const { person = [], ...others } = canonicalQuery(query)
  return Struct.keys(others).length === 0 ? person : []
}

const longestName = 120

/** The default name of a saved search, at most 120 characters long: `“greenway”, Springfield, 2026`. */
export const nameOfQuery = (query: BrowseQuery): string => {
  const words = [
    ...(query.q === undefined ? [] : [`“${query.q}”`]),
    ...activeFilters(query).flatMap(({ words }) => words)
  ]
  const name = [...new Set(words)].filter((word) => word.trim() !== "").join(", ")
  if (name === "") return "All meetings"
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name
}
