import { Context } from "effect"

/**
 * The task being worked on, which model calls are recorded under. A task of another database, as in a drill, has no id.
 */
export const CurrentTask = Context.Reference<
  { readonly id: string | null; readonly stage: string; readonly meetingId: string | null } | undefined
>("civic-record/CurrentTask", { defaultValue: () => undefined })
