import { el, type Kid, prose, web } from "../../page-tree/tree.ts"

interface Ask {
  readonly label: string
  readonly q?: string | undefined
  /** Filters that the search preserves. */
  readonly within?: ReadonlyArray<readonly [name: string, value: string]>
  /** Examples below the field. */
  readonly after?: Kid
}

/** The search field; in Markdown, how to search by address. */
export const ask = ({ label, q, within = [], after = false }: Ask): Kid => {
  const filters = within.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join("")
  return [
    web(
      el(
        "form",
        { class: "ask", role: "search", action: "/browse", method: "get" },
        el("label", { for: "q" }, label),
        el(
          "div",
          { class: "row" },
          el("input", { id: "q", type: "search", name: "q", value: q, autocomplete: "off", spellcheck: "false" }),
          within.map(([name, value]) => el("input", { type: "hidden", name, value })),
          el("button", { type: "submit" }, "Search")
        ),
        after
      )
    ),
    prose(
      el(
        "p",
        {},
        "To search, fetch ",
        el("code", {}, `/md/browse?q=WORDS${filters}`),
        ': words, "phrases", -not, or, speaker:NAME, body:NAME, place:NAME, person:NAME, matter:NUMBER, document:WORDS, after:DATE, before:DATE. Filters: state, county, city, type, agency, year, person, matter, vote.'
      )
    )
  ]
}
