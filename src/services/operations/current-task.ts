import { Context } from "effect"

/** The task that is being worked on, for what is recorded along the way: what a call of a model was made for. */
export const CurrentTask = Context.Reference<
  { readonly id: string; readonly stage: string; readonly meetingId: string | null } | undefined
>("civic-record/CurrentTask", { defaultValue: () => undefined })
