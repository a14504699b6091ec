import type { Effect, Schema } from "effect"
import type { Kid } from "../page-tree/tree.ts"
import type { Script } from "../pages/assets.ts"
import type { InvalidForm } from "./forms.ts"

/** A page of the console, before it is HTML. */
export interface ConsolePage {
  /** 200 by default. */
  readonly status?: number
  readonly title: string
  /** The section of the console it belongs to: the path of one of `sections`. */
  readonly section: string
  /** What of `src/client` the page runs. */
  readonly script?: Script
  readonly main: Kid
}

/** A request for a page. */
export interface ConsoleAsked {
  /** The parameters in its path. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
}

/** A request for an action: a form that an operator submitted. */
export interface ConsoleSent {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly form: URLSearchParams
  /** The file that came with the form, if its path takes one; it goes with the request. */
  readonly file?: { readonly name: string; readonly path: string } | undefined
  /** The operator's e-mail address, or `the console` where nobody signs in. */
  readonly operator: string
}

/** The result of an action, and the page that shows it. */
interface ConsoleDone {
  readonly to: string
  /** One sentence, shown once on that page. */
  readonly said: string
  /** A secret shown once beside it, and stored nowhere. */
  readonly secret?: string
}

export type ConsoleLoad<E, R> = (asked: ConsoleAsked) => Effect.Effect<ConsolePage, E | Schema.SchemaError, R>
/** An action ends at a page that shows its result. One that fails has changed nothing. */
export type ConsoleAct<E, R> = (sent: ConsoleSent) => Effect.Effect<ConsoleDone, E | InvalidForm, R>

/** The sections of the console, in the order of its navigation. */
export const sections = [
  ["/", "Overview"],
  ["/tasks", "Tasks"],
  ["/workers", "Workers"],
  ["/logs", "Logs"],
  ["/costs", "Costs"],
  ["/meetings", "Meetings"],
  ["/gaps", "Gaps"],
  ["/clips", "Clips"],
  ["/removals", "Removals"],
  ["/bodies", "Bodies"],
  ["/people", "People"],
  ["/sources", "Sources"],
  ["/runs", "Runs"],
  ["/drills", "Drills"],
  ["/settings", "Settings"],
  ["/tokens", "Tokens"],
  ["/history", "History"]
] as const
