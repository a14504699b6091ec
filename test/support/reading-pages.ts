import type { Nodes } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"

/** The content of a page in either form: its words on one line, and its links to other pages, as paths. */
export interface Reading {
  readonly text: string
  readonly links: ReadonlyArray<string>
}

const oneSpace = (text: string) => text.replace(/\s+/g, " ")

const unescaped = (text: string): string =>
  text.replace(
    /&(lt|gt|quot|#39|amp);/g,
    (_, name) => ({ lt: "<", gt: ">", quot: '"', "#39": "'" })[String(name)] ?? "&"
  )

const pathOf = (link: string, address: string): string => {
  const { pathname, search } = new URL(link, address)
  return pathname + search
}

export const readHtml = (html: string, address: string): Reading => {
  const body = html.slice(html.indexOf("<body>"))
  return {
    text: oneSpace(unescaped(body.replace(/<[^>]*>/g, ""))),
    links: [...body.matchAll(/<a\s[^>]*href="([^"]*)"(?! rel="external")/g)].map(([, href]) =>
      pathOf(unescaped(href ?? ""), address)
    )
  }
}

export const readMarkdown = (markdown: string, address: string): Reading => {
  const links: Array<string> = []
  const said = (node: Nodes): string => {
    if (node.type === "link") links.push(pathOf(node.url, address))
    if ("children" in node) return node.children.map(said).join(node.type === "root" ? " " : "")
    return "value" in node ? node.value : node.type === "break" ? " " : ""
  }
  const text = said(
    fromMarkdown(markdown.replace(/^---\n[\s\S]*?\n---\n/, ""), {
      extensions: [gfm()],
      mdastExtensions: [gfmFromMarkdown()]
    })
  )
  return { text: oneSpace(text), links }
}

/** The front matter of a page: each line is a name and a JSON string. */
export const frontMatter = (markdown: string): Readonly<Record<string, string>> => {
  const lines = /^---\n([\s\S]*?)\n---\n/.exec(markdown)?.[1]?.split("\n") ?? []
  return Object.fromEntries(lines.map((line) => [line.split(": ", 1)[0] ?? "", JSON.parse(line.replace(/^\w+: /, ""))]))
}
