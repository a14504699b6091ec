import { Stream } from "effect"
import type { Item } from "./item.ts"

/**
 * Leaves out places and bodies that were named before, so that a format may name them with every meeting. The first line
 * to name one settles what is said about it, so that reading the same source again gives the same.
 */
export const once = <E, R>(items: Stream.Stream<Item, E, R>): Stream.Stream<Item, E, R> =>
  Stream.suspend(() => {
    const seen = new Set<string>()
    return Stream.filter(items, ({ result }) => {
      if (result._tag !== "Entity" || (result.entity.type !== "place" && result.entity.type !== "agency")) return true
      const name = `${result.entity.type} ${result.entity.slug}`
      return !seen.has(name) && seen.add(name) !== undefined
    })
  })
