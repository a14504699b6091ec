import type { FeedView } from "./atom.ts"

export const jsonFeedType = "application/feed+json"

/** The same list as a JSON Feed (jsonfeed.org, version 1.1). */
export const jsonFeedOf = ({ path, title, html, entries }: FeedView, base: string): string =>
  JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: `${title} · Civic Record`,
    language: "en-US",
    home_page_url: base + html,
    feed_url: base + path,
    items: entries.map(({ id, title, updated, path, summary }) => ({
      id,
      url: base + path,
      title,
      content_text: summary,
      date_modified: updated
    }))
  })
