/** A problem with a form, worded for the person who filled it in; `field` is the field at fault, if any. */
export interface Trouble {
  readonly field?: string | undefined
  readonly text: string
}

/** A page that explains why a sign-in failed. */
export interface SignInTrouble {
  readonly title: string
  /** The problem, in a sentence or two. */
  readonly text: string
  /** The next step. */
  readonly link: { readonly href: string; readonly text: string }
}

/** The next step if it is not to sign in. */
export const toTheRecord = { href: "/", text: "Go to the record" }

/** Why the console refused an operator's request. */
export interface Refusal {
  readonly status: number
  readonly message: string
  /** The next step. */
  readonly hint: string
  /** The label of the button that does it all the same, if that is allowed. */
  readonly anyway?: string
}

/** A refusal by the console; the default `hint` is for a form to be corrected. */
export const refusal = (
  status: number,
  message: string,
  hint = "Nothing was changed. Go back and correct it."
): Refusal => ({ status, message, hint })
