import type { SitemapEntry, SitemapPart } from "../../services/directory/sitemaps.ts"
import { addresses, isOnePage } from "../parts/addresses.ts"
import { xmlDocument, xmlOf } from "./xml.ts"

const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

/** The pages that are no place, body or meeting. */
export const ownPages: ReadonlyArray<string> = addresses.filter(isOnePage).map(({ path }) => path)

const located = (loc: string, lastmod: string | undefined) => ({ loc, ...(lastmod === undefined ? {} : { lastmod }) })

/** `/sitemap.xml` (sitemaps.org): where the files of the sitemap are. `base` is without a slash at its end. */
export const sitemapIndex = (parts: ReadonlyArray<SitemapPart>, base: string): string =>
  xmlDocument({
    sitemapindex: {
      "@xmlns": namespace,
      sitemap: parts.map(({ changed }, at) => located(`${base}/sitemaps/${at + 1}.xml`, changed))
    }
  })

/** What begins a file, which is written as its addresses are read, and what ends it. */
export const sitemapStart = `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="${namespace}">`
export const sitemapEnd = "</urlset>\n"

/** Some addresses of a file. */
export const sitemapEntries = (entries: ReadonlyArray<SitemapEntry>, base: string): string =>
  xmlOf({ url: entries.map(({ path, changed }) => located(base + path, changed)) })
