import { Option, Schema } from "effect"
import type { Segment } from "../../../../../schema/transcript.ts"
import { escribeRecording } from "../../../sources/escribe.ts"
import { iqm2Captions } from "../../../sources/iqm2.ts"
import { swagitRecording, swagitWords } from "../../../sources/swagit.ts"
import type { PlayerPage } from "./player-page.ts"

/** Whoever plays recordings on pages of their own. */
interface Player {
  /** As readers know it: `Swagit`. */
  readonly name: string
  /** The page that says where a recording is, by the address of the recording; undefined for other addresses. */
  readonly at: (url: URL) => string | undefined
  /**
   * The file or playlist that a page names, or those of its parts in order. Without it, no recording may or can be
   * fetched from there.
   */
  readonly recording?: (page: PlayerPage) => string | ReadonlyArray<string> | undefined
  /** The captions that a page names: a file, or the page itself, if it has the words. */
  readonly captions?: (page: PlayerPage) => string | undefined
  /** The words that the page itself has. */
  readonly words?: (page: PlayerPage) => ReadonlyArray<Segment>
}

const isHost = (names: RegExp) => (url: URL) => (names.test(url.hostname) ? url.href : undefined)

/** A file before a playlist: it can be resumed, and comes in one request. */
const first = (addresses: ReadonlyArray<string>): string | undefined =>
  addresses.find((address) => !/\.m3u8$/i.test(URL.parse(address)?.pathname ?? "")) ?? addresses[0]

/** The archives of Granicus, where Swagit and IQM2 keep theirs, too. Other hosts in their pages are of other cities. */
const archived = (address: string): boolean =>
  /^(?:archive-[\w-]+|swagit-video|[\w-]+\.cloudfront)\.(?:granicus\.com|net)$|^mediahttp\.iqm2\.com$/i.test(
    URL.parse(address)?.hostname ?? ""
  )

const json = <S extends Schema.ConstraintDecoder<unknown>>(schema: S) => {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(schema))
  return (text: string) => Option.getOrUndefined(decode(text))
}

const progressiveFiles = json(
  Schema.Array(Schema.Struct({ url: Schema.String, height: Schema.optionalKey(Schema.Finite) }))
)
const archiveItem = json(
  Schema.Struct({
    metadata: Schema.Struct({ identifier: Schema.String }),
    files: Schema.Array(Schema.Struct({ name: Schema.String, format: Schema.optionalKey(Schema.String) }))
  })
)

type ArchiveFiles = NonNullable<ReturnType<typeof archiveItem>>["files"]

/** The address of one of an item's files. */
const archiveFile = (
  { text }: PlayerPage,
  choose: (files: ArchiveFiles) => ArchiveFiles[number] | undefined
): string | undefined => {
  const { metadata, files = [] } = archiveItem(text) ?? {}
  const file = choose(files)
  if (metadata === undefined || file === undefined) return undefined
  const path = file.name.split("/").map(encodeURIComponent).join("/")
  return `https://archive.org/download/${encodeURIComponent(metadata.identifier)}/${path}`
}

/** What IQM2 plays is said in a comment, where the page's scripts look for it. */
const iqm2Recording = ({ text, media }: PlayerPage): string | undefined => {
  const said = /MEDIA URL:\s*(https?:\/\/[^\s<>"']+?)\s*-->/i.exec(text)?.[1]
  return first([...(said === undefined ? [] : [said]), ...media].filter(archived))
}

/** The players whose pages are known. Nothing is read from a page but the addresses that it gives to its own player. */
const players: ReadonlyArray<Player> = [
  {
    name: "Granicus",
    at: (url) =>
      /^[\w-]+\.granicus\.com$/.test(url.hostname) &&
      /^\/(?:mediaplayer\.php|player\/clip\/\d+|videos\/\d+\/player)/i.test(url.pathname)
        ? url.href
        : undefined,
    recording: ({ media }) => first(media.filter(archived)),
    captions: ({ captions, address }) => {
      const clip =
        /^\/(?:player\/clip|videos)\/(\d+)/.exec(address.pathname)?.[1] ?? address.searchParams.get("clip_id")
      return (
        captions[0] ?? (/^\d+$/.test(clip ?? "") ? new URL(`/videos/${clip}/captions.vtt`, address).href : undefined)
      )
    }
  },
  {
    name: "Swagit",
    at: (url) =>
      /\.swagit\.com$/.test(url.hostname) && /^\/(?:videos|play)\/[\w-]+\/?$/.test(url.pathname) ? url.href : undefined,
    recording: ({ media, scripts }) => {
      const parts = swagitRecording(scripts).filter(archived)
      return parts.length > 1 ? parts : first(media.filter(archived))
    },
    captions: ({ captions, $, address }) => captions[0] ?? (swagitWords($).length > 0 ? address.href : undefined),
    words: ({ $ }) => swagitWords($)
  },
  {
    name: "IQM2",
    at: (url) => (/\.iqm2\.com$/.test(url.hostname) && /splitview/i.test(url.pathname) ? url.href : undefined),
    recording: iqm2Recording,
    captions: (page) => {
      const file = iqm2Recording(page)
      return file === undefined ? undefined : iqm2Captions(file, page.address)
    }
  },
  {
    name: "eScribe",
    at: (url) =>
      /\.escribemeetings\.com$/.test(url.hostname) && /\/(?:players\/|meeting\.aspx)/i.test(url.pathname)
        ? url.href
        : undefined,
    recording: ({ $ }) => escribeRecording($),
    captions: ({ $ }) => {
      const file = escribeRecording($)
      return file === undefined ? undefined : `${file}.vtt`
    }
  },
  {
    name: "Cablecast",
    at: (url) =>
      /\.cablecast\.tv$/.test(url.hostname) ||
      /^\/(?:internetchannel|CablecastPublicSite)\/show\/\d+/i.test(url.pathname)
        ? url.href
        : undefined,
    recording: ({ media }) => media.find((address) => /\/vod\.(?:mp4|m3u8)$/i.test(URL.parse(address)?.pathname ?? "")),
    captions: ({ captions }) => captions[0]
  },
  {
    name: "Viebit",
    at: (url) => (/^[\w-]+\.viebit\.com$/.test(url.hostname) ? url.href : undefined),
    captions: ({ captions }) => captions[0]
  },
  {
    name: "Vimeo",
    at: (url) => {
      if (!/^(?:www\.|player\.)?vimeo\.com$/.test(url.hostname)) return undefined
      const [, video, hash] = /^\/(?:video\/)?(\d{5,12})(?:\/([0-9a-f]{6,16}))?\/?$/.exec(url.pathname) ?? []
      const secret = hash ?? url.searchParams.get("h")
      return video === undefined
        ? undefined
        : `https://player.vimeo.com/video/${video}${secret === null ? "" : `?h=${secret}`}`
    },
    recording: ({ text }) =>
      progressiveFiles(/"progressive":(\[[^\]]*\])/.exec(text)?.[1] ?? "")
        ?.toSorted((a, b) => (a.height ?? 0) - (b.height ?? 0))
        .findLast(({ height }, at) => at === 0 || (height ?? 0) <= 720)?.url
  },
  {
    name: "the Internet Archive",
    at: (url) => {
      const item = /^\/(?:details|embed)\/([\w.-]{1,120})\/?$/.exec(url.pathname)?.[1]
      return item === undefined || !/^(?:www\.)?archive\.org$/.test(url.hostname)
        ? undefined
        : `https://archive.org/metadata/${item}`
    },
    recording: (page) =>
      archiveFile(page, (files) => {
        const films = files.filter(({ name }) => /\.mp4$/i.test(name))
        return films.find(({ format }) => /h\.?264|mpeg4/i.test(format ?? "")) ?? films[0]
      }),
    // What the archive has transcribed itself (".asr.") is no caption of the publisher's.
    captions: (page) =>
      archiveFile(page, (files) => files.find(({ name }) => /\.(?:vtt|srt)$/i.test(name) && !/\.asr\./i.test(name)))
  },
  { name: "YouTube", at: isHost(/^(?:[\w-]+\.)?(?:youtube|youtube-nocookie)\.com$|^youtu\.be$/) },
  { name: "Facebook", at: isHost(/^(?:[\w-]+\.)?(?:facebook\.com|fb\.watch)$/) },
  { name: "Zoom", at: isHost(/^(?:[\w-]+\.)?zoom\.us$/) },
  { name: "Microsoft Teams", at: isHost(/^(?:teams\.microsoft\.com|[\w-]+\.sharepoint\.com)$/) }
]

/** The player at the address of a recording, and the page to ask there. */
export interface KnownPlayer extends Omit<Player, "at"> {
  readonly page: string
}

/** The player at an address; undefined if it is none that is known. */
export const playerAt = (address: string): KnownPlayer | undefined => {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  for (const { at, ...player } of players) {
    const page = at(url)
    if (page !== undefined) return { ...player, page }
  }
  return undefined
}
