import type { Effect, Schema } from "effect"
import type { Viewer } from "../../schema/viewer.ts"
import type { Kid } from "../page-tree/tree.ts"
import type { AmbiguousBody, NotFound, Removed } from "../services/failures.ts"
import type { SearchesBusy, SearchOverBudget } from "../services/search/query-budget.ts"

/** The parts of the site that the masthead names. */
export type Section = "browse" | "upcoming" | "places" | "developers"

export interface Crumb {
  readonly name: string
  readonly path: string
}

/** What is true of a page as a whole: the head of its HTML, and the front matter of its Markdown. */
export interface Head {
  /** What the page is about, without the name of the site. */
  readonly title: string
  /** One sentence for those who only see a link to it. */
  readonly description: string
  /** The page's one address, as a path with its query; an error has none. */
  readonly path?: string
  /** Tells a program how much of a meeting it is reading. */
  readonly access?: "open" | "teaser" | "full"
  /** When what it says last changed: an instant, ISO 8601 in UTC. */
  readonly updated?: string
  /** Where a meeting was published first. */
  readonly source?: string
  /** Where the page's list goes on as an Atom feed: a path. */
  readonly feed?: { readonly href: string; readonly title: string }
  /** Where the page's meetings are a calendar to subscribe to: a path. */
  readonly calendar?: { readonly href: string; readonly title: string }
  /** The operation of the API that answers with the same: a path. */
  readonly json?: string
  /** A picture for those who share a link: a path. */
  readonly image?: string
  /** How another site may show what the page is about: the page and the frame for it, as paths, and the frame's pixels. */
  readonly player?: {
    readonly path: string
    readonly frame: string
    readonly width: number
    readonly height: number
  }
  /** JSON-LD (schema.org), by the address of the site, without a slash at its end. */
  readonly data?: (base: string) => object
  readonly crumbs?: ReadonlyArray<Crumb>
  readonly current?: Section
  /** The page has a search field of its own, so that the masthead shows none. */
  readonly searches?: true
  /** Modules of `src/client` that the page runs, by name: `watch`. */
  readonly scripts?: ReadonlyArray<string>
  /** Made for one visit, so that no cache keeps it, though its address is as public as any. */
  readonly personal?: true
  /** A library that the page runs draws pictures that stand in its style sheet (`data:`). */
  readonly picturesInStyle?: true
  /** Kept by no cache, listed by no search engine, and its address is told to no other site. */
  readonly discreet?: true
}

/** A page, before it is HTML or Markdown: what a pure function makes of a view model. */
export interface Page {
  /** 200 where nothing is said. */
  readonly status?: number
  readonly head: Head
  readonly main: Kid
}

/** The resource of a page is at another address, for good. */
export interface Moved {
  readonly movedTo: string
}

/** What was asked of a page. */
export interface Asked {
  /** The parts of its path that name something. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  readonly viewer: Viewer
}

/** What a service may refuse a page; each has its words where the API has them too. */
export type PageFailure = NotFound | Removed | AmbiguousBody | SearchOverBudget | SearchesBusy

/**
 * What a page is loaded by: it asks services, and gives the page for whoever is asking. `SchemaError` where a parameter
 * of the address does not decode (see `decodeQuery`).
 */
export type Load<R> = (asked: Asked) => Effect.Effect<Page | Moved, PageFailure | Schema.SchemaError, R>
