/** A problem with a form, in words for the person who filled it in; `field` is the field at fault, if there is one. */
export interface Trouble {
  readonly field?: string | undefined
  readonly text: string
}

/** A page that says why somebody was not signed in. */
export interface SignInTrouble {
  readonly title: string
  /** What happened, in a sentence or two. */
  readonly text: string
  /** The next step. */
  readonly link: { readonly href: string; readonly text: string }
}

/** The next step where signing in is not. */
export const toTheRecord = { href: "/", text: "Go to the record" }

/** Why the console did not do what an operator asked for. */
export interface Refusal {
  readonly status: number
  readonly message: string
  /** The next step. */
  readonly hint: string
}

/** A refusal of the console; `hint` unless a form is to be corrected. */
export const refusal = (
  status: number,
  message: string,
  hint = "Nothing was changed. Go back and correct it."
): Refusal => ({ status, message, hint })
