import type { Refusal } from "../failures/words.ts"
import { el, heading } from "../page-tree/tree.ts"
import type { ConsolePage } from "./page.ts"

const titles: Readonly<Record<number, string>> = {
  401: "Sign in",
  403: "Not allowed",
  404: "Not found",
  405: "No page is here",
  410: "Removed from the record",
  500: "Something went wrong here",
  503: "The database cannot be reached"
}

/** A page that says why nothing was done. */
export const refusalPage = ({ status, message, hint }: Refusal): ConsolePage => ({
  status,
  title: titles[status] ?? "This cannot be done",
  section: "",
  main: [
    heading(titles[status] ?? "This cannot be done"),
    el("p", { class: "lede" }, message),
    el("p", {}, hint),
    el("p", {}, el("a", { href: "/" }, "Overview"))
  ]
})
