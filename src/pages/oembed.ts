import { embedCode, embedHeight, embedWidth } from "./embed.ts"
import { type Elements, xmlDocument } from "./feeds/xml.ts"
import { nameAbroad, type ShownClip } from "./parts/shown-clip.ts"

/** The largest size the caller can show, in pixels. */
export interface Room {
  readonly maxwidth?: number | undefined
  readonly maxheight?: number | undefined
}

/** The size of posters. */
const poster = { width: 1280, height: 720 }

/** A clip as its address names it. */
export type ClipAddress = { readonly slug: string } | { readonly meeting: string; readonly clip: string }

/** The clip whose page or frame is at this address, if it can be one. `base` is the address of the service. */
export const clipAt = (url: string, base: string): ClipAddress | undefined => {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  if (origin !== new URL(base).origin) return undefined
  const path = pathname.replace(/^\/embed(?=\/)/, "")
  const [, slug] = /^\/clips\/([\w-]+)$/.exec(path) ?? []
  if (slug !== undefined) return { slug }
  const [, meeting, clip] = /^\/in\/[\w-]+\/[\w-]+\/([\w-]+)\/clips\/([\w-]+)$/.exec(path) ?? []
  return meeting === undefined || clip === undefined ? undefined : { meeting, clip }
}

/** A clip as an oEmbed video (oembed.com, section 2.3.4.2), without any signed address. */
export const oembedOf = (
  clip: ShownClip,
  { maxwidth = poster.width, maxheight = poster.height }: Room,
  base: string
) => {
  const { meeting } = clip
  // Whichever side has less room decides, so that the picture keeps its proportions.
  const scale = Math.min(1, maxwidth / embedWidth, maxheight / embedHeight)
  const [width, height] = [embedWidth, embedHeight].map((side) => Math.max(1, Math.floor(side * scale)))
  const fits = poster.width <= maxwidth && poster.height <= maxheight
  return {
    version: "1.0",
    type: "video",
    title: nameAbroad(clip),
    author_name: meeting.body.name,
    author_url: base + meeting.body.path,
    provider_name: "Civic Record",
    provider_url: base,
    ...(meeting.poster_url !== undefined && fits
      ? { thumbnail_url: meeting.poster_url, thumbnail_width: poster.width, thumbnail_height: poster.height }
      : {}),
    html: embedCode(clip, base, width, height),
    width,
    height
  }
}

/** The same as XML. */
export const oembedXml = (video: ReturnType<typeof oembedOf>): string =>
  xmlDocument({
    oembed: Object.fromEntries(Object.entries(video).map(([name, value]) => [name, String(value)])) satisfies Elements
  })
