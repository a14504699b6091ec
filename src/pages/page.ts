import type { Effect, Schema } from "effect"
import type { Viewer } from "../../schema/viewer.ts"
import type { Kid } from "../page-tree/tree.ts"
import type { NotFound, Removed } from "../services/failures.ts"
import type { UnfitParameter } from "../services/search/found/listing.ts"
import type { SearchesBusy, SearchOverBudget } from "../services/search/query/query-budget.ts"
import type { Script } from "./assets.ts"

/** The parts of the site that the masthead names. */
export type Section = "browse" | "upcoming" | "places" | "developers"

export interface Crumb {
  readonly name: string
  readonly path: string
}

/** What a page asks, as nobody, to learn whether there is something new. */
export interface Watched {
  /** The path of the API operation: a list, or a meeting. */
  readonly href: string
  /** How many meetings the list has, or when the meeting last changed; without it, what the first answer says. */
  readonly seen?: string | number
  /** The parts of the meeting that the page knows, by name. */
  readonly has?: ReadonlyArray<string>
}

/** Facts about a page as a whole, for the head of its HTML and the front matter of its Markdown. */
export interface Head {
  /** The title, without the name of the site. */
  readonly title: string
  /** One sentence for link previews. */
  readonly description: string
  /** The canonical path with its query; an error has none. */
  readonly path?: string
  /** Says how much of a meeting a program is reading. */
  readonly access?: "open" | "teaser" | "full"
  /** When its content last changed: an instant, ISO 8601 in UTC. */
  readonly updated?: string
  /** The place where a meeting was first published. */
  readonly source?: string
  /** The path of the Atom feed with the page's list. */
  readonly feed?: { readonly href: string; readonly title: string }
  /** The same list as a JSON Feed. */
  readonly jsonFeed?: { readonly href: string; readonly title: string }
  /** The path of the calendar with the page's meetings. */
  readonly calendar?: { readonly href: string; readonly title: string }
  /** The path of the API operation with the same facts. */
  readonly json?: string
  /** The path of a picture for shared links. */
  readonly image?: string
  /** How another site can embed it: the paths of page and frame, and the frame's size in pixels. */
  readonly player?: {
    readonly path: string
    readonly frame: string
    readonly width: number
    readonly height: number
  }
  /** JSON-LD (schema.org), given the address of the site without a trailing slash. */
  readonly data?: (base: string) => object
  readonly crumbs?: ReadonlyArray<Crumb>
  readonly current?: Section
  /** The page has its own search field, so the masthead shows none. */
  readonly searches?: true
  /** What of `src/client` the page runs. */
  readonly script?: Script
  /** How a page that is left open learns of something new (`src/client/page-news.ts`). */
  readonly watched?: Watched
  /** Made for one visit: never cached, although its address is public. */
  readonly personal?: true
  /** The origin of a frame that the reader may ask for. */
  readonly frames?: string
  /** Never cached, never indexed, and its address is never sent to another site. */
  readonly discreet?: true
}

/** A page before it is HTML or Markdown, made from a view model by a pure function. */
export interface Page {
  /** 200 by default. */
  readonly status?: number
  readonly head: Head
  readonly main: Kid
}

/** The page has permanently moved to another address. */
export interface Moved {
  readonly movedTo: string
}

/** A request for a page. */
export interface Asked {
  /** The parameters in its path. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  readonly viewer: Viewer
  /** Since when things are new to a reader (see `Visits`), ISO 8601 in UTC. */
  readonly newSince?: string | undefined
}

/** Failures of a page's services; the register has the words for each. */
export type PageFailure = NotFound | Removed | SearchOverBudget | SearchesBusy | UnfitParameter

/**
 * Loads a page: asks services, and returns the page for this viewer. `SchemaError` if a parameter of the address does
 * not decode (see `decodeQuery`).
 */
export type Load<R> = (asked: Asked) => Effect.Effect<Page | Moved, PageFailure | Schema.SchemaError, R>
