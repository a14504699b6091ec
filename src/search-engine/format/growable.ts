interface Numbers {
  readonly length: number
  set: (from: ArrayLike<number>) => void
}

export const uint8s = (length: number) => new Uint8Array(length)
export const uint16s = (length: number) => new Uint16Array(length)
export const int16s = (length: number) => new Int16Array(length)
export const uint32s = (length: number) => new Uint32Array(length)
export const int32s = (length: number) => new Int32Array(length)
export const float64s = (length: number) => new Float64Array(length)

/** A copy with room for at least `length`. Its size doubles, so growing is amortized. */
export const grown = <A extends Numbers & ArrayLike<number>>(
  array: A,
  length: number,
  make: (length: number) => A
): A => {
  if (length <= array.length) return array
  const larger = make(Math.max(length, array.length * 2))
  larger.set(array)
  return larger
}
