import { codeSpan, delimited, destination, endHeading, escapeText, startLine } from "./markdown-text.ts"
import { deeper, type El, type Kid, type Tag, textOf } from "./tree.ts"

const blocks: ReadonlySet<Tag> = new Set([
  "article",
  "aside",
  "blockquote",
  "details",
  "div",
  "dl",
  "fieldset",
  "figcaption",
  "figure",
  "footer",
  "header",
  "heading",
  "hr",
  "main",
  "nav",
  "ol",
  "p",
  "pre",
  "search",
  "section",
  "summary",
  "table",
  "ul"
])

/** Controls have no Markdown form, even where a page forgets to wrap them in `web`. */
const silent: ReadonlySet<Tag> = new Set([
  "web",
  "form",
  "button",
  "input",
  "select",
  "textarea",
  "audio",
  "video",
  "svg",
  "label",
  "output"
])

/** The kids that have a Markdown form, in one list. */
const spoken = (kids: ReadonlyArray<Kid>): ReadonlyArray<string | El> => {
  const found: Array<string | El> = []
  const gather = (kid: Kid): void => {
    if (kid === undefined || kid === false) return
    if (typeof kid === "string") found.push(kid)
    else if (!("tag" in kid)) for (const one of kid) gather(one)
    else if (kid.tag === "prose") for (const one of kid.kids) gather(one)
    else if (!silent.has(kid.tag) && kid.attributes.hidden !== true) found.push(kid)
  }
  for (const kid of kids) gather(kid)
  return found
}

const only = (kids: ReadonlyArray<Kid>, ...tags: ReadonlyArray<Tag>): ReadonlyArray<El> =>
  spoken(kids).flatMap((kid) => (typeof kid !== "string" && tags.includes(kid.tag) ? [kid] : []))

const oneSpace = (text: string): string => text.replace(/\s+/g, " ")
const lineBreak = "\\\n"

/** The depth inside a list item, where a heading is the item's first line. */
const inItem = 0

/**
 * Renders a tree as Markdown (CommonMark with GFM's tables and strikethrough). `address` is the page's: relative links
 * become absolute by it. Paragraphs are one line each.
 */
export const markdownOf = (page: Kid, address: string): string => {
  const absolute = (href: string): string => destination(/^[/?#]/.test(href) ? new URL(href, address).href : href)

  /** The text that an inline element adds after `before`, which it may not run into. */
  const span = (kid: El, before: string): string => {
    switch (kid.tag) {
      case "a": {
        const words = flat(kid.kids)
        return words === "" ? "" : `[${words}](${absolute(String(kid.attributes.href))})`
      }
      case "img": {
        const alt = escapeText(oneSpace(String(kid.attributes.alt)))
        return alt.trim() === "" ? "" : `![${alt}](${absolute(String(kid.attributes.src))})`
      }
      case "strong":
      case "mark":
        return delimited("**", inline(kid.kids), before)
      case "em":
        return delimited("*", inline(kid.kids), before)
      case "del":
        return delimited("~~", inline(kid.kids), before)
      case "code":
      case "kbd":
        return codeSpan(oneSpace(textOf(kid.kids)), before)
      case "br":
        return lineBreak
      case "ul":
      case "ol":
        return inARow(kid)
      default:
        return inline(kid.kids)
    }
  }

  /** The items of a list, on one line. */
  const inARow = ({ kids }: El): string =>
    only(kids, "li")
      .map((li) => flat(li.kids))
      .filter((text) => text !== "")
      .join(" · ")

  const inline = (kids: ReadonlyArray<Kid>): string => {
    let text = ""
    for (const kid of spoken(kids)) {
      const added = typeof kid === "string" ? escapeText(oneSpace(kid)) : span(kid, text)
      // Before a link, "!" would make an image of it.
      text = (text.endsWith("!") && added.startsWith("[") ? `${text.slice(0, -1)}\\!` : text) + added
    }
    return text
  }

  const line = (kids: ReadonlyArray<Kid>): string =>
    inline(kids)
      .replace(/ {2,}/g, " ")
      .split(lineBreak)
      .map((text) => startLine(text.trim()))
      .filter((text) => text !== "")
      .join(lineBreak)

  /** On one line, where a break is impossible. */
  const flat = (kids: ReadonlyArray<Kid>): string => oneSpace(inline(kids).replaceAll(lineBreak, " ")).trim()
  const row = ({ kids }: El): string =>
    `| ${only(kids, "th", "td")
      .map((cell) => flat(cell.kids).replaceAll("|", "\\|"))
      .join(" | ")} |`

  const table = ({ kids }: El): ReadonlyArray<string> => {
    const rows = spoken(kids).flatMap((part) =>
      typeof part === "string" ? [] : part.tag === "tr" ? [part] : only(part.kids, "tr")
    )
    const [head, ...rest] = rows
    if (head === undefined) return []
    return [[row(head), `|${" --- |".repeat(only(head.kids, "th", "td").length)}`, ...rest.map(row)].join("\n")]
  }

  const item = ({ kids }: El, mark: string): string => {
    const parts = block(kids, inItem)
    const isTight = parts.slice(1).every((part) => part.startsWith("- "))
    const text = parts.join(isTight ? "\n" : "\n\n")
    return text === "" ? "" : mark + text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(mark.length)}`)
  }

  const list = (kid: El): ReadonlyArray<string> => {
    const { tag, attributes, kids } = kid
    if (attributes.inline === true) {
      const words = inARow(kid)
      return words === "" ? [] : [startLine(words)]
    }
    const items = only(kids, "li")
    const first = Number(attributes.start ?? 1)
    const rows = items
      .map((li, index) => item(li, tag === "ol" ? `${first + index}. ` : "- "))
      .filter((text) => text !== "")
    return rows.length === 0 ? [] : [rows.join(rows.some((text) => text.includes("\n\n")) ? "\n\n" : "\n")]
  }

  /** A list of terms; a term and its description may stand in a `div`. */
  const terms = ({ kids }: El): ReadonlyArray<string> => {
    const rows: Array<string> = []
    for (const { tag, kids: words } of only(kids, "dt", "dd", "div").flatMap((one) =>
      one.tag === "div" ? only(one.kids, "dt", "dd") : [one]
    )) {
      const said = flat(words)
      if (tag === "dt") rows.push(`- ${delimited("**", startLine(said), "")}:`)
      else rows[rows.length - 1] += ` ${said}`
    }
    return rows.length === 0 ? [] : [rows.join("\n")]
  }

  const element = (kid: El, depth: number): ReadonlyArray<string> => {
    switch (kid.tag) {
      case "heading": {
        const words = startLine(flat(kid.kids))
        if (words === "") return []
        return [depth === inItem ? words : `${"#".repeat(Math.min(depth, 6))} ${endHeading(words)}`]
      }
      case "p":
      case "figcaption":
      case "summary": {
        const words = line(kid.kids)
        return words === "" ? [] : [words]
      }
      case "hr":
        return ["---"]
      case "ul":
      case "ol":
        return list(kid)
      case "dl":
        return terms(kid)
      case "table":
        return table(kid)
      case "pre": {
        const text = textOf(kid.kids).replace(/\n$/, "")
        const fence = "`".repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map((run) => run.length + 1)))
        return [`${fence}\n${text}\n${fence}`]
      }
      case "blockquote":
        return [block(kid.kids, depth).join("\n\n").replace(/^/gm, "> ")]
      default:
        return block(kid.kids, deeper.has(kid.tag) && depth !== inItem ? depth + 1 : depth)
    }
  }

  const block = (kids: ReadonlyArray<Kid>, depth: number): ReadonlyArray<string> => {
    const parts: Array<string> = []
    let run: Array<Kid> = []
    const flush = () => {
      const words = line(run)
      if (words !== "") parts.push(words)
      run = []
    }
    for (const kid of spoken(kids)) {
      if (typeof kid === "string" || !blocks.has(kid.tag)) run.push(kid)
      else {
        flush()
        parts.push(...element(kid, depth))
      }
    }
    flush()
    return parts
  }

  return `${block([page], 1).join("\n\n")}\n`
}
