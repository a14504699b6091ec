import type { SitemapEntry, SitemapPart } from "../../services/directory/sitemaps.ts"
import { addresses, isOnePage } from "../parts/addresses.ts"
import { xmlDocument, xmlOf } from "./xml.ts"

const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

/** The pages that are not a place, body or meeting. */
export const ownPages: ReadonlyArray<string> = addresses.filter(isOnePage).map(({ path }) => path)

const located = (loc: string, lastmod: string | undefined) => ({ loc, ...(lastmod === undefined ? {} : { lastmod }) })

/** `/sitemap.xml` (sitemaps.org): the index of the sitemap's files. `base` has no trailing slash. */
export const sitemapIndex = (parts: ReadonlyArray<SitemapPart>, base: string): string =>
  xmlDocument({
    sitemapindex: {
      "@xmlns": namespace,
      sitemap: parts.map(({ changed }, at) => located(`${base}/sitemaps/${at + 1}.xml`, changed))
    }
  })

/** The beginning of a file, which is written while its addresses are read, and its end. */
export const sitemapStart = `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="${namespace}">`
export const sitemapEnd = "</urlset>\n"

/** A batch of a file's addresses. */
export const sitemapEntries = (entries: ReadonlyArray<SitemapEntry>, base: string): string =>
  xmlOf({ url: entries.map(({ path, changed }) => located(base + path, changed)) })
