import { createHash } from "node:crypto"
import escapeHtml from "escape-html"

/** The common style of pages of one card, light and dark; a page's own style follows it. */
const common = `
:root { color-scheme: light dark; --ink: #1a1f24; --paper: #f5f6f4; --card: #fff; --line: #747c84; --button: #14532d; --on-button: #fff; --wrong: #a11313; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9ecee; --paper: #14181b; --card: #1d2327; --line: #8b949c; --button: #86d6a3; --on-button: #0c2415; --wrong: #ff9d94; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; padding: 1rem; display: grid; place-items: center; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: clamp(1rem, 6vw, 2rem); background: var(--card); border: 1px solid var(--line); border-radius: .5rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
:focus-visible { outline: 3px solid var(--button); outline-offset: 2px; }
`

/**
 * Pages of one card without script, in one style: `html` from a title and the HTML that follows it (already escaped),
 * and the policy that allows a browser this style and, apart from what `also` allows, nothing else.
 */
export const pages = (ownStyle: string) => {
  const style = common + ownStyle
  const hash = createHash("sha256").update(style).digest("base64")
  return {
    policy: (...also: ReadonlyArray<string>): string =>
      ["default-src 'none'", `style-src 'sha256-${hash}'`, ...also, "frame-ancestors 'none'", "base-uri 'none'"].join(
        "; "
      ),
    html: (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Civic Record</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>
</body>
</html>
`
  }
}
