/** Patterns over words that are separated by single spaces. Each entry is one or more alternatives. */
type Alternatives = ReadonlyArray<string>

/** The words end with one of these. */
export const endsWith = (alternatives: Alternatives): RegExp => new RegExp(`(?:^| )(?:${alternatives.join("|")})$`, "u")

/** One of these is anywhere among the words. */
export const anywhere = (alternatives: Alternatives): RegExp =>
  new RegExp(`(?:^| )(?:${alternatives.join("|")})(?: |$)`, "u")

/** The words begin with one of these. */
export const beginsWith = (alternatives: Alternatives): RegExp => new RegExp(`^(?:${alternatives.join("|")})`, "u")

/** The words are one of these. */
export const whole = (alternatives: Alternatives): RegExp => new RegExp(`^(?:${alternatives.join("|")})$`, "u")
