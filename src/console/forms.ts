import { Data, Effect } from "effect"

/** A form that cannot be read; the message names the field and what to give instead. */
export class InvalidForm extends Data.TaggedError("InvalidForm")<{ readonly message: string }> {}

/** The longest text of a field, in characters. */
const longest = 2000

/** A field of a submitted form, trimmed; undefined if empty. PostgreSQL cannot store U+0000. */
export const optionalField = (form: URLSearchParams, name: string): Effect.Effect<string | undefined, InvalidForm> => {
  const value = (form.get(name) ?? "").trim()
  return value.length > longest || value.includes("\u0000")
    ? Effect.fail(new InvalidForm({ message: `${name} must be text of at most ${longest} characters.` }))
    : Effect.succeed(value === "" ? undefined : value)
}

/** A required field of a form. */
export const formField = (form: URLSearchParams, name: string): Effect.Effect<string, InvalidForm> =>
  Effect.flatMap(optionalField(form, name), (value) =>
    value === undefined
      ? Effect.fail(new InvalidForm({ message: `${name} is empty: fill it in.` }))
      : Effect.succeed(value)
  )
