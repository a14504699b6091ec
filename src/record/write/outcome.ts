/** What became of one entity of a batch. */
export type Outcome =
  | { readonly _tag: "Created" }
  | { readonly _tag: "Updated" }
  | { readonly _tag: "Unchanged" }
  | { readonly _tag: "Refused"; readonly field: string; readonly message: string }

export const created: Outcome = { _tag: "Created" }
export const updated: Outcome = { _tag: "Updated" }
export const unchanged: Outcome = { _tag: "Unchanged" }
export const refused = (field: string, message: string): Outcome => ({ _tag: "Refused", field, message })
