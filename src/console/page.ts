import type { Effect, Schema } from "effect"
import type { Kid } from "../page-tree/tree.ts"
import type { InvalidForm } from "./forms.ts"

/** A page of the console, before it is HTML. */
export interface ConsolePage {
  /** 200 where nothing is said. */
  readonly status?: number
  readonly title: string
  /** The section of the console that it belongs to: the path of one of `sections`. */
  readonly section: string
  /** Modules of `src/client` that the page runs, by name. */
  readonly scripts?: ReadonlyArray<string>
  readonly main: Kid
}

/** What was asked of a page. */
export interface ConsoleAsked {
  /** The parts of its path that name something. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
}

/** What was asked of an action: a form that an operator sent. */
export interface ConsoleSent {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly form: URLSearchParams
  /** The operator's e-mail address, or `the console` where nobody signs in. */
  readonly operator: string
}

/** What an action did, and the page that shows it. */
export interface ConsoleDone {
  readonly to: string
  /** One sentence, shown once on that page. */
  readonly said: string
  /** A secret that is shown once beside it, and kept nowhere. */
  readonly secret?: string
}

export type ConsoleLoad<E, R> = (asked: ConsoleAsked) => Effect.Effect<ConsolePage, E | Schema.SchemaError, R>
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
  ["/bodies", "Bodies"],
  ["/sources", "Sources"],
  ["/runs", "Runs"],
  ["/drills", "Drills"],
  ["/settings", "Settings"],
  ["/tokens", "Tokens"],
  ["/history", "History"]
] as const
