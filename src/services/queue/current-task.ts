import { Context } from "effect"

/**
 * The task that is being worked on, for what is recorded along the way: what a call of a model was made for. No id
 * where the task is not of this database, as in a drill.
 */
export const CurrentTask = Context.Reference<
  { readonly id: string | null; readonly stage: string; readonly meetingId: string | null } | undefined
>("civic-record/CurrentTask", { defaultValue: () => undefined })
