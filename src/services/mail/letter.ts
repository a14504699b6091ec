import escapeHtml from "escape-html"

/** A part of a mail. Its HTML and its plain text are both made from the same parts. */
export type Part =
  | { readonly kind: "heading"; readonly text: string; readonly href?: string }
  | { readonly kind: "subheading"; readonly text: string }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly items: ReadonlyArray<string> }
  | { readonly kind: "link"; readonly text: string; readonly href: string }
  | {
      readonly kind: "figure"
      readonly src: string
      readonly title: string
      readonly alt: string
      readonly width: number
      readonly height: number
    }

export interface Letter {
  readonly subject: string
  readonly parts: ReadonlyArray<Part>
  /** Why the reader gets this mail. */
  readonly because: string
  /** Unsubscribe links, each with the list that it ends. */
  readonly unsubscribe: ReadonlyArray<{ readonly text: string; readonly href: string }>
}

/** The widest image that mail programs show uncut. */
const widest = 560

const quiet = "color:#5b646d;font-size:14px"

const link = (text: string, href: string) =>
  `<a href="${escapeHtml(href)}" style="color:#14532d">${escapeHtml(text)}</a>`

const inHtml = (part: Part): string => {
  switch (part.kind) {
    case "heading":
      return `<h2 style="margin:32px 0 4px;font-size:20px;line-height:1.3">${
        part.href === undefined ? escapeHtml(part.text) : link(part.text, part.href)
      }</h2>`
    case "subheading":
      return `<h3 style="margin:20px 0 4px;font-size:16px">${escapeHtml(part.text)}</h3>`
    case "note":
      return `<p style="margin:0 0 12px;${quiet}">${escapeHtml(part.text)}</p>`
    case "paragraph":
      return `<p style="margin:0 0 12px">${escapeHtml(part.text).replace(/\r?\n/g, "<br>")}</p>`
    case "list":
      return `<ul style="margin:0 0 12px;padding-left:20px">${part.items.map((item) => `<li>${escapeHtml(item)}</li>`).join("")}</ul>`
    case "link":
      return `<p style="margin:0 0 12px">${link(part.text, part.href)}</p>`
    case "figure": {
      const width = Math.min(part.width, widest)
      const height = Math.round((part.height * width) / Math.max(part.width, 1))
      return `<p style="margin:0 0 12px"><img src="${escapeHtml(part.src)}" alt="${escapeHtml(part.alt)}" width="${width}" height="${height}" style="max-width:100%;height:auto;border:0"><br><span style="${quiet}">${escapeHtml(part.title)}</span></p>`
    }
  }
}

const inText = (part: Part): string => {
  switch (part.kind) {
    case "heading":
      return `\n${part.text}\n${"=".repeat(Math.min(part.text.length, 72))}${part.href === undefined ? "" : `\n${part.href}`}`
    case "subheading":
      return `${part.text}\n${"-".repeat(Math.min(part.text.length, 72))}`
    case "note":
    case "paragraph":
      return part.text
    case "list":
      return part.items.map((item) => `* ${item}`).join("\n")
    case "link":
      return `${part.text}: ${part.href}`
    case "figure":
      return `[${part.title}: ${part.alt}]\n${part.src}`
  }
}

export const htmlOf = ({ subject, parts, because, unsubscribe }: Letter): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0 auto;padding:16px;max-width:600px;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere">
${parts.map(inHtml).join("\n")}
<hr style="margin:32px 0 12px;border:0;border-top:1px solid #c3c9ce">
<p style="margin:0 0 8px;${quiet}">${escapeHtml(because)}</p>
<p style="margin:0;${quiet}">${unsubscribe.map(({ text, href }) => link(text, href)).join(" · ")}</p>
</body>
</html>
`

export const textOf = ({ parts, because, unsubscribe }: Letter): string => `${parts.map(inText).join("\n\n").trim()}

-- \n${because}
${unsubscribe.map(({ text, href }) => `${text}: ${href}`).join("\n")}
`
