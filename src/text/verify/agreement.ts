import type { Quantity } from "./quantities.ts"

const compatible = (one: Quantity, other: Quantity): boolean =>
  one.unit === other.unit || one.unit === "plain" || other.unit === "plain"

/** Whether a spoken number equals the claim's, or rounds to it at the claim's precision. */
export const agrees = (claimed: Quantity, said: Quantity): boolean =>
  compatible(claimed, said) &&
  claimed.values.some((value) =>
    said.values.some(
      (exact) =>
        value === exact ||
        isYearFor(value, exact) ||
        (claimed.step >= 1 &&
          (claimed.step > 1 || !Number.isInteger(exact)) &&
          Math.round(exact / claimed.step) * claimed.step === value) ||
        // Speakers drop units that are obvious: `fourteen ten` is $14.10, `forty point five` is 40.5 million.
        [0.01, 100, 1000, 1_000_000].some((scale) => claimed.unit === "dollars" && isClose(exact * scale, value)) ||
        (claimed.rounded && Math.abs(value - exact) <= Math.abs(exact) * 0.1)
    )
  )

/** People shorten years: `94`, `20 and 21`. */
const isYearFor = (value: number, said: number): boolean =>
  value >= 1950 && value < 2050 && Number.isInteger(said) && said >= 10 && said < 100 && value % 100 === said

const isClose = (one: number, other: number): boolean => Math.abs(one - other) < 1e-6 * Math.abs(other)

/** The most numbers of the evidence that are combined with each other. With more, any number could be derived. */
const mostAmounts = 20

/** Whether it may be the sum or the difference of two spoken numbers: `25 fewer`, from 71 and 96. */
export const isWorkedOut = (claimed: Quantity, said: ReadonlyArray<Quantity>): boolean => {
  const amounts = said.slice(0, mostAmounts).flatMap(({ values }) => values)
  return amounts.some((a, at) =>
    amounts.some(
      (b, other) =>
        at !== other && claimed.values.some((value) => isClose(a - b, value) || (at < other && isClose(a + b, value)))
    )
  )
}

/** Whether two quantities count the same kind of thing, so that different values contradict each other. */
export const sameKind = (one: Quantity, other: Quantity): boolean =>
  (one.month !== undefined && one.month === other.month) ||
  (one.month === undefined && other.month === undefined && one.unit === other.unit)
