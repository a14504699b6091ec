import type { MeetingCard } from "../../schema/meeting.ts"
import type { SharedClip } from "../../schema/user-clip.ts"
import { htmlOf } from "../page-tree/html.ts"
import { embedHeight, embedPath, embedWidth } from "./embed.ts"
import { type Elements, xmlDocument } from "./feeds/xml.ts"
import { clipName } from "./parts/clip-name.ts"

/** The largest size the caller can show, in pixels. */
export interface Room {
  readonly maxwidth?: number | undefined
  readonly maxheight?: number | undefined
}

/** The size of posters. */
const poster = { width: 1280, height: 720 }

/** The slug of the shared clip whose page or frame is at this address, if any. `base` is the address of the service. */
export const clipAt = (url: string, base: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  return origin === new URL(base).origin ? /^\/(?:embed\/)?clips\/([\w-]+)$/.exec(pathname)?.[1] : undefined
}

/** A shared clip as an oEmbed video (oembed.com, section 2.3.4.2), without any signed address. */
export const oembedOf = (
  { slug, clip, meeting }: { readonly slug: string; readonly clip: SharedClip; readonly meeting: MeetingCard },
  { maxwidth = embedWidth, maxheight = embedHeight }: Room,
  base: string
) => {
  const title = clipName(clip, meeting)
  const [width, height] = [Math.min(embedWidth, maxwidth), Math.min(embedHeight, maxheight)]
  const fits = poster.width <= maxwidth && poster.height <= maxheight
  return {
    version: "1.0",
    type: "video",
    title,
    author_name: meeting.body.name,
    author_url: base + meeting.body.path,
    provider_name: "Civic Record",
    provider_url: base,
    ...(meeting.poster_url !== undefined && fits
      ? { thumbnail_url: meeting.poster_url, thumbnail_width: poster.width, thumbnail_height: poster.height }
      : {}),
    html: `<iframe src="${htmlOf(base + embedPath(slug))}" title="${htmlOf(title)}" width="${width}" height="${height}" allow="fullscreen" loading="lazy"></iframe>`,
    width,
    height
  }
}

/** The same as XML. */
export const oembedXml = (video: ReturnType<typeof oembedOf>): string =>
  xmlDocument({
    oembed: Object.fromEntries(Object.entries(video).map(([name, value]) => [name, String(value)])) satisfies Elements
  })
