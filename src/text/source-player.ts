/** A recording at the player of whoever published it. */
export interface SourcePlayer {
  /** `YouTube` */
  readonly provider: string
  /** The address that plays it from a second on; one that ends where the second goes, for scripts. */
  readonly watch: (second: number) => string
  /** The same in a frame. */
  readonly embed: string
  /** The origin of the frame, for the page's policy. */
  readonly origin: string
}

interface Provider {
  readonly provider: string
  readonly at: (url: URL) => { readonly watch: string; readonly embed: string } | undefined
}

const id = (found: string | null | undefined, shape: RegExp): string | undefined =>
  found !== null && found !== undefined && shape.test(found) ? found : undefined

/**
 * Who plays what, by the address of the source. Both addresses end where a whole second follows. Nothing is asked of a
 * provider: its address says all.
 */
const providers: ReadonlyArray<Provider> = [
  {
    provider: "YouTube",
    at: ({ hostname, pathname, searchParams }) => {
      const isShort = hostname === "youtu.be"
      if (!isShort && !/^(?:www\.|m\.)?youtube(?:-nocookie)?\.com$/.test(hostname)) return undefined
      const inPath = isShort ? pathname.slice(1) : /^\/(?:live|embed|v|shorts)\/([^/]+)/.exec(pathname)?.[1]
      const video = id(inPath ?? searchParams.get("v"), /^[\w-]{11}$/)
      return video === undefined
        ? undefined
        : {
            watch: `https://www.youtube.com/watch?v=${video}&t=`,
            embed: `https://www.youtube-nocookie.com/embed/${video}?autoplay=1&start=`
          }
    }
  },
  {
    provider: "Vimeo",
    at: ({ hostname, pathname }) => {
      if (!/^(?:www\.|player\.)?vimeo\.com$/.test(hostname)) return undefined
      const [, video, hash] = /^\/(?:video\/)?(\d{5,12})(?:\/([0-9a-f]{6,16}))?\/?$/.exec(pathname) ?? []
      if (video === undefined) return undefined
      const secret = hash === undefined ? "" : `&h=${hash}`
      return {
        watch: `https://vimeo.com/${video}${hash === undefined ? "" : `/${hash}`}#t=`,
        embed: `https://player.vimeo.com/video/${video}?autoplay=1${secret}#t=`
      }
    }
  },
  {
    provider: "Granicus",
    at: ({ hostname, pathname, searchParams }) => {
      if (!/^[\w-]+\.granicus\.com$/.test(hostname)) return undefined
      const clip = id(/^\/player\/clip\/(\d+)/.exec(pathname)?.[1] ?? searchParams.get("clip_id"), /^\d{1,9}$/)
      if (clip === undefined || !/^\/(?:player\/clip\/|MediaPlayer\.php$)/i.test(pathname)) return undefined
      const view = id(searchParams.get("view_id"), /^\d{1,9}$/)
      const shown = view === undefined ? "" : `view_id=${view}&`
      return {
        watch: `https://${hostname}/player/clip/${clip}?${shown}redirect=true&entrytime=`,
        embed: `https://${hostname}/player/clip/${clip}?${shown}embed=1&autostart=1&entrytime=`
      }
    }
  },
  {
    provider: "Viebit",
    at: ({ hostname, pathname, searchParams }) => {
      if (!/^[\w-]+\.viebit\.com$/.test(hostname) || !/^\/(?:embed\/)?(?:vod|player\.php)?\/?$/.test(pathname))
        return undefined
      const video = id(searchParams.get("v") ?? searchParams.get("hash"), /^[\w.-]{3,120}$/)
      return video === undefined
        ? undefined
        : {
            watch: `https://${hostname}/vod/?s=true&v=${video}&t=`,
            embed: `https://${hostname}/embed/vod?v=${video}&t=`
          }
    }
  },
  {
    provider: "Internet Archive",
    at: ({ hostname, pathname }) => {
      if (!/^(?:www\.)?archive\.org$/.test(hostname)) return undefined
      const item = id(/^\/(?:details|embed)\/([^/]+)/.exec(pathname)?.[1], /^[\w.-]{1,120}$/)
      return item === undefined
        ? undefined
        : {
            watch: `https://archive.org/details/${item}?start=`,
            embed: `https://archive.org/embed/${item}?autoplay=1&start=`
          }
    }
  }
]

/** The player at the address of a source, if it is one that is known. */
export const sourcePlayer = (address: string | undefined): SourcePlayer | undefined => {
  if (address === undefined || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined
  for (const { provider, at } of providers) {
    const found = at(url)
    if (found === undefined) continue
    const { watch, embed } = found
    const watched = (second: number) => `${watch}${Math.floor(second)}${provider === "YouTube" ? "s" : ""}`
    return { provider, watch: watched, embed, origin: new URL(embed).origin }
  }
  return undefined
}
