/** The kinds of what is removed, and the words that take their place. */
export const marks = {
  home: "[address removed]",
  box: "[P.O. box removed]",
  phone: "[phone number removed]",
  email: "[e-mail address removed]"
} as const

export type RemovalKind = keyof typeof marks

/** The number of marks in a text. */
export const marksIn = (text: string): number =>
  Object.values(marks).reduce((total, mark) => total + text.split(mark).length - 1, 0)
