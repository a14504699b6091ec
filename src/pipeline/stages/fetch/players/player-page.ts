import { type DefaultTreeAdapterTypes, parse } from "parse5"

/** What a page says of media: only what its elements and scripts use, never what is commented out. */
export interface PlayerPage {
  readonly address: URL
  /** The page as it was sent. */
  readonly text: string
  /** The addresses of files and playlists, those of elements first. */
  readonly media: ReadonlyArray<string>
  /** The addresses of caption files. */
  readonly captions: ReadonlyArray<string>
  /** The attributes of the element with an id. */
  readonly attributes: (id: string) => ReadonlyMap<string, string>
}

const isMedia = (address: string) => /\.(?:mp4|m4v|mov|webm|m3u8)$/i.test(URL.parse(address)?.pathname ?? "")
const isCaptions = (address: string) => /\.(?:vtt|srt)$/i.test(URL.parse(address)?.pathname ?? "")

/** An address in a script, absolute or without its scheme. */
const inScript = /(?:https?:)?\/\/[^\s"'`<>\\]{4,2000}/gi

/** A script without its comments, as far as they stand on lines of their own, and with its slashes as they are. */
const plainScript = (script: string): string =>
  script
    .replace(/\\\//g, "/")
    .replace(/\\u002[fF]/g, "/")
    .replace(/\\u0026/g, "&")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")

interface Element {
  readonly tag: string
  readonly attributes: ReadonlyMap<string, string>
  readonly text: string
}

const elementsOf = (html: string): ReadonlyArray<Element> => {
  const elements: Array<Element> = []
  // A stack and not a recursion: pages nest as deep as whoever wrote them likes.
  const open: Array<DefaultTreeAdapterTypes.Node> = [parse(html)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ("tagName" in node) {
      const texts = node.tagName === "script" ? node.childNodes : []
      elements.push({
        tag: node.tagName,
        attributes: new Map(node.attrs.map(({ name, value }) => [name, value])),
        text: texts.map((child) => ("value" in child ? child.value : "")).join("")
      })
    }
    if ("childNodes" in node) open.push(...node.childNodes.toReversed())
  }
  return elements
}

const naming: Readonly<Record<string, string>> = {
  video: "src",
  source: "src",
  track: "src",
  a: "href",
  meta: "content"
}

/** Reads a player's page. */
export const playerPage = (html: string, address: URL): PlayerPage => {
  const elements = elementsOf(html)
  const absolute = (found: string | undefined) =>
    found === undefined
      ? []
      : [URL.parse(found.trim(), address.href)?.href ?? ""].filter((href) => /^https?:/.test(href))
  const named = elements.flatMap(({ tag, attributes }) => absolute(attributes.get(naming[tag] ?? "")))
  const scripted = elements
    .flatMap(({ text }) => [...plainScript(text).matchAll(inScript)])
    .flatMap(([found]) => absolute(found))
  const all = [...new Set([...named, ...scripted])]
  return {
    address,
    text: html,
    media: all.filter(isMedia),
    captions: all.filter(isCaptions),
    attributes: (id) => elements.find(({ attributes }) => attributes.get("id") === id)?.attributes ?? new Map()
  }
}
