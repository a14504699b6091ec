import weighed from "./weights.json" with { type: "json" }

const weights: ReadonlyMap<string, number> = new Map(Object.entries(weighed.weights))

/** Whether the features of an address weigh more for a home than against one. */
export const weighsAsHome = (features: ReadonlySet<string>): boolean => {
  let sum = weighed.bias
  for (const feature of features) sum += weights.get(feature) ?? 0
  return sum > 0
}
