import type { LocationResults } from "../../schema/geo.ts"
import { el, heading, type Kid, prose, web } from "../page-tree/tree.ts"
import type { Page } from "./page.ts"
import { ask } from "./parts/ask.ts"

/** An error in place of a page. */
export interface Failure {
  readonly status: number
  /** The problem, in a sentence. */
  readonly message: string
  /** The next step, in a sentence. */
  readonly hint: string
  /** Places and bodies with similar names, most similar first. */
  readonly nearest: LocationResults["results"]
  /** The words that were searched for, so that they can be corrected where they were typed. */
  readonly q: string | undefined
}

interface Words {
  readonly title: string
  readonly text: (failure: Failure) => string
}

const words: Readonly<Record<number, Words>> = {
  400: { title: "This address cannot be read", text: ({ message }) => message },
  404: {
    title: "Nothing is at this address",
    text: () => "It may be misspelled, or what was here may have been taken off the record."
  },
  405: { title: "This page can only be read", text: ({ message }) => message },
  409: { title: "Two bodies share this address", text: ({ message }) => message },
  410: { title: "This was taken off the record", text: ({ message }) => message },
  429: {
    title: "Too many requests",
    text: ({ message }) => `${message} Wait a minute, then reload the page.`
  },
  500: {
    title: "Something went wrong here",
    text: ({ hint }) => `This is our fault, not yours. ${hint}`
  },
  503: {
    title: "The record cannot be reached right now",
    text: () => "Nothing is lost. Wait a few seconds, then reload the page."
  }
}

const other: Words = { title: "This cannot be shown", text: ({ message }) => message }

const suggestions = (nearest: Failure["nearest"]): Kid => {
  const isTop = nearest.every(({ match }) => match === "top")
  return (
    nearest.length > 0 &&
    el(
      "section",
      { class: "list", "aria-labelledby": "nearest" },
      heading(el("span", { id: "nearest" }, isTop ? "Places on record" : "Did you mean")),
      el(
        "ul",
        { class: "dotted" },
        nearest
          .slice(0, 6)
          .map(({ name, path, detail }) =>
            el("li", {}, el("a", { href: path }, name), " ", el("span", { class: "num" }, detail))
          )
      )
    )
  )
}

/** A search whose words are at fault is named as a search, not as an address. */
const wordsFor = ({ status, message, q }: Failure): Words =>
  status === 400 && q !== undefined && message.startsWith("q ")
    ? { title: "This search needs other words", text: ({ message }) => message.replace(/^q /, "Your search ") }
    : (words[status] ?? other)

/** An error page, with links back. */
export const failurePage = (failure: Failure): Page => {
  const { title, text } = wordsFor(failure)
  return {
    status: failure.status,
    head: { title, description: text(failure), searches: true },
    main: el(
      "div",
      { class: "wide top narrow" },
      el("p", { class: "place-line" }, `Error ${failure.status}`),
      heading(title),
      el("p", { class: "lede" }, text(failure)),
      suggestions(failure.nearest),
      ask({ label: "Search all meetings", q: failure.q }),
      prose(
        el(
          "p",
          {},
          el("a", { href: "/" }, "Home"),
          " · ",
          el("a", { href: "/browse" }, "All meetings"),
          " · ",
          el("a", { href: "/places" }, "Places")
        )
      ),
      web(
        el(
          "ul",
          { class: "ways", "aria-label": "Ways on" },
          el("li", {}, el("a", { href: "/" }, "Home")),
          el("li", {}, el("a", { href: "/browse" }, "All meetings")),
          el("li", {}, el("a", { href: "/places" }, "All places"))
        )
      )
    )
  }
}
