import { Effect } from "effect"
import { el, heading, prose, web } from "../page-tree/tree.ts"
import type { Load, Page } from "./page.ts"
import { swaggerFilePath, swaggerFiles } from "./parts/swagger-ui.ts"

const referencePage: Page = {
  head: {
    title: "API reference",
    description: "Every operation of the API, with its parameters, answers and errors, to look up and to try.",
    path: "/developers/reference",
    access: "open",
    current: "developers",
    json: "/openapi.json",
    crumbs: [
      { name: "Developers", path: "/developers" },
      { name: "API reference", path: "/developers/reference" }
    ],
    script: "reference",
    picturesInStyle: true
  },
  main: [
    el(
      "div",
      { class: "wide top" },
      heading("API reference"),
      el(
        "p",
        {},
        "Every operation of the API, generated from ",
        el("a", { href: "/openapi.json" }, "/openapi.json"),
        ". Tasks, limits and errors are explained ",
        el("a", { href: "/developers" }, "for developers"),
        "."
      ),
      web(
        el(
          "p",
          { class: "note" },
          "“Try it out” sends real requests from this browser, as you if you are signed in: what changes something changes it."
        ),
        el(
          "p",
          { id: "reference-state", role: "status" },
          "The list of operations is loaded by a script. Without one, read the document above with a tool of your own."
        )
      ),
      prose(el("p", {}, "The interactive list is for browsers; the document has the same facts."))
    ),
    web(
      el(
        "section",
        { class: "wide" },
        heading("Operations"),
        el("div", {
          id: "reference",
          "data-document": "/openapi.json",
          "data-script": swaggerFilePath(swaggerFiles.script),
          "data-style": swaggerFilePath(swaggerFiles.style)
        })
      )
    )
  ]
}

/** `/developers/reference`: Swagger UI over the document of this build. */
export const loadReference: Load<never> = () => Effect.succeed(referencePage)
