/** Something to report about an entity that was not refused. */
export interface Note {
  readonly field: string
  readonly message: string
}

/** The outcome for one entity of a batch. */
export type Outcome =
  | { readonly _tag: "Created" | "Updated" | "Unchanged"; readonly notes?: ReadonlyArray<Note> }
  | { readonly _tag: "Refused"; readonly field: string; readonly message: string }

export const created = { _tag: "Created" } satisfies Outcome
export const updated = { _tag: "Updated" } satisfies Outcome
export const unchanged = { _tag: "Unchanged" } satisfies Outcome
export const refused = (field: string, message: string): Outcome => ({ _tag: "Refused", field, message })
