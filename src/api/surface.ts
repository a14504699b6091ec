import { Context } from "effect"

/**
 * What an answer promises to caches and to scripts of other origins (contract section 1).
 *
 * - `public`: the same for everyone. Cached for a minute, weak ETag, CORS `*`.
 * - `by_viewer`: `public` for an anonymous caller, `private, no-store` for one with a credential; varies by Cookie.
 * - `uncached`: the same for everyone, but true only at this moment. `no-store`, CORS `*`.
 * - `private`: everything behind a cookie, and minted signatures. `private, no-store`, no CORS.
 */
export type SurfaceKind = "public" | "by_viewer" | "uncached" | "private"

/** Annotates an endpoint or a group. Without it, an endpoint is private. */
export const Surface = Context.Reference<SurfaceKind>("civic-record/Surface", { defaultValue: () => "private" })

/**
 * Annotates an endpoint whose anonymous answers are cached: until the `record` changes, or, if they also depend on the
 * time, until the `minute` is over. Nothing else is cached, and nothing that holds a signature may be.
 */
export const Cached = Context.Reference<"never" | "record" | "minute">("civic-record/Cached", {
  defaultValue: () => "never"
})

/**
 * Annotates a private endpoint whose answers have an ETag: `whole` answers 304 to a caller that has the current
 * version, `ranges` also sends parts of it (RFC 9110, sections 13 and 14). What is public has an ETag anyway.
 */
export const Revalidates = Context.Reference<"no" | "whole" | "ranges">("civic-record/Revalidates", {
  defaultValue: () => "no"
})

/** Annotates an endpoint whose GET changes something, and which is guarded as a write is (contract section 2). */
export const ChangesOnGet = Context.Reference<boolean>("civic-record/ChangesOnGet", { defaultValue: () => false })

/** Annotates an endpoint that browsers are sent to, whose errors are pages for callers that prefer HTML to JSON. */
export const ErrorPages = Context.Reference<boolean>("civic-record/ErrorPages", { defaultValue: () => false })
