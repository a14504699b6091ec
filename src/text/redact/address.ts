/** An address found in a transcript; `end` is the token after its last one. */
export interface Address {
  readonly end: number
  /** The digits of the house number; absent in a street, a corner or a unit alone. */
  readonly house?: string
  /** The first word of the street's name. */
  readonly street?: string
  /** How strongly the words alone suggest that this is an address. */
  readonly form: "typed" | "bare" | "corner" | "unit" | "box" | "slot"
  /** A corner that is called one. */
  readonly isSaid?: boolean
  /** The speaker corrected the number: `1450, no, 1540 Pomona`. */
  readonly isCorrected?: boolean
  /** A street whose type has other uses, such as `Oak Ridge`, or a mere number. */
  readonly isWeak?: boolean
}
