import { el, heading } from "../page-tree/tree.ts"
import type { ClipNotFound } from "../services/clips/curated-clips.ts"
import type { SameBody } from "../services/directory/agency-merge.ts"
import type { BodyUnsettled, NotFound, Removed, UnknownAgency } from "../services/failures.ts"
import type { InvalidCorrection } from "../services/feed/meeting-corrections.ts"
import type { NewerFlow } from "../services/queue/flows.ts"
import type { InvalidValue } from "../services/settings/settings.ts"
import type { InvalidForm } from "./forms.ts"
import type { ConsolePage } from "./page.ts"

/** What a page or an action of the console may fail with. */
export type ConsoleFailure =
  | BodyUnsettled
  | ClipNotFound
  | InvalidCorrection
  | InvalidForm
  | InvalidValue
  | NewerFlow
  | NotFound
  | Removed
  | SameBody
  | UnknownAgency

/** Why nothing was done, as an operator is told. */
export interface ConsoleRefusal {
  readonly status: number
  readonly message: string
  readonly hint: string
}

const goBack = "Nothing was changed. Go back and correct it."

const told = (status: number, message: string, hint = goBack): ConsoleRefusal => ({ status, message, hint })

/** A failure in words. */
export const refusalOf = (failure: ConsoleFailure): ConsoleRefusal => {
  switch (failure._tag) {
    case "NotFound":
    case "ClipNotFound":
      return told(404, failure.message, "It may have been removed meanwhile. The lists show what there is.")
    case "Removed":
      return told(410, failure.message, "Imported again, it is on record again.")
    case "UnknownAgency":
      return told(422, `No body on record is called “${failure.slug}”.`, "Bodies lists every slug.")
    case "BodyUnsettled":
      return told(
        409,
        `It is not settled which body on record “${failure.sourceBody}” is.`,
        "Map it on the page of its source, then try again."
      )
    case "NewerFlow":
      return told(409, "A newer flow for the same subject is under way.", "Look at its tasks instead.")
    case "InvalidCorrection":
    case "InvalidForm":
    case "InvalidValue":
    case "SameBody":
      return told(422, failure.message)
  }
}

const titles: Readonly<Record<number, string>> = {
  401: "Sign in",
  403: "Not allowed",
  404: "There is no such thing",
  410: "Off the record",
  500: "Something went wrong here",
  503: "The database cannot be reached"
}

/** A page that says why nothing was done. */
export const refusalPage = ({ status, message, hint }: ConsoleRefusal): ConsolePage => ({
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
