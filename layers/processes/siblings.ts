import { Context } from "effect"
import type { OidcProvider } from "../config/config.ts"
import type { Ask } from "./channel.ts"
import type { RatePolicy, RateStanding } from "./rate-counters.ts"

/** A provider of sign-ins, as it can be told to another process. */
export type LocalProvider = Omit<OidcProvider, "clientSecret"> & { readonly clientSecret: string }

/** What a process that `serve --processes` started is told first. */
export interface Role {
  /** From 1. The first does what only one of them may: the pipeline, mail, the console, building the search index. */
  readonly number: number
  readonly count: number
  /** Whether it greets whoever started the service. */
  readonly greets: boolean
  /** The local sign-in provider, which the first runs. */
  readonly identity?: LocalProvider
}

/** Of the other processes: how many listen, and the metrics of each by its number, or `parent`. */
interface Others {
  readonly up: number
  readonly metrics: Readonly<Record<string, string>>
}

/** What a process can ask its parent. */
export type ParentAnswers = {
  readonly role: () => Role
  /** The process listens; the first tells where people sign in. */
  readonly up: (identity?: LocalProvider) => void
  readonly consume: (policy: RatePolicy, key: string) => RateStanding
  readonly hold: (key: string, limit: number) => boolean
  readonly release: (key: string) => void
  readonly others: () => Promise<Others>
  /** When the embedded database was last restarted after a crash, in milliseconds. */
  readonly databaseRestartedAt: () => Promise<number | undefined>
}

/** What a parent can ask a process. */
export type ChildAnswers = {
  readonly metrics: () => Promise<string>
  /** Finish what was begun, and end: another process takes this one's place. */
  readonly retire: () => void
}

/** Of the process: alone, unless `serve --processes` started it beside others. `ask` asks their parent. */
export const Siblings = Context.Reference<Role & { readonly ask?: Ask<ParentAnswers> }>("civic-record/Siblings", {
  defaultValue: () => ({ number: 1, count: 1, greets: true })
})
