import { Effect } from "effect"
import { el, heading, type Kid, prose, web } from "../../page-tree/tree.ts"
import type { Load, Page } from "../page.ts"
import { ApiDocument, type Document, type Operation } from "./api-document.ts"
import { described, exampleOf, field, fieldsOf, typeOf } from "./shapes.ts"

/** An operation with its method and path. */
interface Call {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** What each credential is called in a sentence. */
const credentials: Readonly<Record<string, string>> = {
  session: "a session",
  share_grant: "a share grant for the meeting",
  media_signature: "the signature in its address",
  email_graphic: "the key in an e-mail's address",
  agent_token: "an operator's token"
}

const inWords = new Intl.ListFormat("en-US", { type: "disjunction" })

/** Who may call it: `Anyone; more with a session or a share grant for the meeting.` */
const callers = ({ security = [{}] }: Operation): string => {
  const named = inWords.format(security.flatMap((way) => Object.keys(way)).map((name) => credentials[name] ?? name))
  if (named === "") return "Anyone."
  return security.some((way) => Object.keys(way).length === 0) ? `Anyone; more with ${named}.` : `Needs ${named}.`
}

/** A request to paste, with the examples of the document. */
const command = ({ method, path, operation }: Call, { servers, components }: Document): string => {
  const { parameters = [], requestBody } = operation
  const filled = parameters
    .filter((one) => one.in === "path")
    .reduce((at, { name, example }) => at.replace(`{${name}}`, String(example ?? name.toUpperCase())), path)
  const query = parameters
    .filter((one) => one.in === "query" && one.required === true)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example ?? name.toUpperCase()))}`)
    .join("&")
  const shape = requestBody?.content["application/json"]?.schema
  return [
    "curl",
    ...(method === "get" ? [] : [`-X ${method.toUpperCase()}`]),
    ...(shape === undefined
      ? []
      : [
          `-H "Content-Type: application/json"`,
          `-d '${JSON.stringify(exampleOf(shape, components.schemas)).replaceAll("'", "'\\''")}'`
        ]),
    `"${servers[0].url}${filled}${query === "" ? "" : `?${query}`}"`
  ].join(" ")
}

const isFault = (status: string): boolean => Number(status) >= 400

const answers = ({ responses }: Operation): Kid => {
  const faults = Object.keys(responses).filter(isFault)
  return el(
    "ul",
    { class: "points" },
    Object.entries(responses)
      .filter(([status]) => !isFault(status))
      .map(([status, { description, content = {} }]) =>
        el(
          "li",
          {},
          el("code", {}, status),
          " ",
          described(description),
          Object.entries(content).map(([type, { schema }]) => [
            " ",
            el("code", {}, type),
            type === "application/json" && schema !== undefined && [": ", typeOf(schema), fieldsOf(schema)]
          ])
        )
      ),
    faults.length > 0 && el("li", {}, el("a", { href: "/developers#errors" }, "Errors"), `: ${inWords.format(faults)}.`)
  )
}

/** In a browser alone: whoever reads Markdown has the same examples in the document. */
const example = ({ responses }: Operation): Kid => {
  const shown = Object.entries(responses).find(([status, { content }]) => {
    return !isFault(status) && content?.["application/json"]?.example !== undefined
  })?.[1].content?.["application/json"]?.example
  return (
    shown !== undefined &&
    web(
      el("details", {}, el("summary", {}, "An answer"), el("pre", { tabindex: 0 }, JSON.stringify(shown, undefined, 2)))
    )
  )
}

const call = (one: Call, document: Document): Kid => {
  const { method, path, operation } = one
  const { operationId, summary, description, parameters = [], requestBody } = operation
  const body = requestBody?.content["application/json"]?.schema
  return el(
    "section",
    { class: "operation" },
    heading(el("span", { id: operationId }, summary)),
    el("p", {}, el("code", { class: "address" }, `${method.toUpperCase()} ${path}`)),
    description !== undefined && el("p", {}, described(description)),
    el("p", { class: "note" }, callers(operation)),
    parameters.length > 0 &&
      el(
        "ul",
        { class: "points", "aria-label": "Parameters" },
        parameters.map(({ name, in: place, required, schema, description }) =>
          field(name, `, in the ${place}${required === true ? ", required" : ""}`, schema, description)
        )
      ),
    body !== undefined && el("p", {}, "The body is ", typeOf(body), ", as JSON."),
    el("pre", { tabindex: 0 }, command(one, document)),
    answers(operation),
    example(operation)
  )
}

/** A name as an id in the page. */
const slug = (name: string): string => name.toLowerCase().replace(/[^a-z]+/g, "-")

const referencePage = (document: Document): Page => {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ method, path, operation }))
  )
  const groups = document.tags
    .map((tag) => ({ ...tag, calls: calls.filter(({ operation }) => operation.tags.includes(tag.name)) }))
    .filter(({ calls }) => calls.length > 0)
  return {
    head: {
      title: "API reference",
      description: "Every operation of the API, with its parameters, answers and errors.",
      path: "/developers/reference",
      access: "open",
      current: "developers",
      json: "/openapi.json",
      crumbs: [
        { name: "Developers", path: "/developers" },
        { name: "API reference", path: "/developers/reference" }
      ]
    },
    main: el(
      "div",
      { class: "wide top narrow manual reference" },
      heading("API reference"),
      el(
        "p",
        { class: "lede" },
        `All ${calls.length} operations of the API, from `,
        el("a", { href: "/openapi.json" }, "/openapi.json"),
        ", which tools read. Tasks, limits and errors are explained ",
        el("a", { href: "/developers" }, "for developers"),
        "."
      ),
      web(
        el(
          "nav",
          { "aria-label": "Operations" },
          groups.map(({ name, calls }) => [
            el("p", {}, el("a", { href: `#${slug(name)}` }, name)),
            el(
              "ul",
              { class: "points" },
              calls.map(({ method, path, operation }) =>
                el(
                  "li",
                  {},
                  el("a", { href: `#${operation.operationId}` }, operation.summary),
                  " ",
                  el("code", {}, `${method.toUpperCase()} ${path}`)
                )
              )
            )
          ])
        )
      ),
      prose(el("p", {}, "The objects that operations take and return are described at the end.")),
      groups.map(({ name, description, calls }) =>
        el(
          "section",
          { class: "part" },
          heading(el("span", { id: slug(name) }, name)),
          description !== undefined && el("p", {}, described(description)),
          calls.map((one) => call(one, document))
        )
      ),
      el(
        "section",
        { class: "part" },
        heading(el("span", { id: "objects" }, "Objects")),
        Object.entries(document.components.schemas).map(([name, shape]) =>
          el(
            "section",
            { class: "operation" },
            heading(el("span", { id: name }, name)),
            shape.description !== undefined && el("p", {}, described(shape.description)),
            shape.properties === undefined && el("p", {}, typeOf(shape)),
            fieldsOf(shape)
          )
        )
      )
    )
  }
}

/** `/developers/reference`: the document of this build, to read. */
export const loadReference: Load<ApiDocument> = () => ApiDocument.use(({ shown }) => Effect.map(shown, referencePage))
