import type { RemovalKind } from "../../../schema/transcript.ts"

/** The kinds of what is removed, and the words that take their place; only a person removes `other` words. */
export const marks = {
  home: "[address removed]",
  box: "[P.O. box removed]",
  phone: "[phone number removed]",
  email: "[e-mail address removed]",
  other: "[words removed]"
} as const satisfies Record<RemovalKind, string>

/** The number of marks in a text. */
export const marksIn = (text: string): number =>
  Object.values(marks).reduce((total, mark) => total + text.split(mark).length - 1, 0)
