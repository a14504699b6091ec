/**
 * The English number words, as speech recognition writes them. No library reads house numbers that are spoken in pairs.
 */

export const units: ReadonlyMap<string, number> = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    .split(" ")
    .map((word, value) => [word, value])
)

export const tens: ReadonlyMap<string, number> = new Map(
  "twenty thirty forty fifty sixty seventy eighty ninety".split(" ").map((word, at) => [word, 20 + 10 * at])
)

export const scales: ReadonlyMap<string, number> = new Map([
  ["hundred", 100],
  ["thousand", 1000],
  ["million", 1_000_000],
  ["billion", 1_000_000_000],
  ["trillion", 1_000_000_000_000]
])

const unitOrdinals =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
const tenOrdinals = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"

/** The one-word ordinals from `first` to `ninetieth`, and `hundredth`. */
export const ordinals: ReadonlyMap<string, number> = new Map<string, number>([
  ...unitOrdinals.split(" ").map((word, at) => [word, at + 1] as const),
  ...tenOrdinals.split(" ").map((word, at) => [word, 20 + 10 * at] as const),
  ["hundredth", 100]
])
