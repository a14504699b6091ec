import { Data } from "effect"
import type { BundleEntity } from "../../../schema/bundle.ts"
import type { Fault } from "./decode.ts"

/**
 * One result from a line (or numbered record) of a file. A line may give several items: a place and a body that it is
 * the first to name, its meeting, a warning. `file` is the path within the source.
 */
export interface Item {
  readonly file: string
  /** From 1; also 1 where the whole file is one record. */
  readonly line: number
  readonly result: ItemResult
}

type ItemResult =
  | { readonly _tag: "Entity"; readonly entity: BundleEntity }
  /** The line is left out; `field` is a dotted path such as `segments.3.start`, "" for the whole line. */
  | { readonly _tag: "Rejected"; readonly field: string; readonly message: string }
  /**
   * The line is kept, but not all of it or not as written; or it is not about a meeting. `isOnce`: a source reports it
   * at the first line that it is true of.
   */
  | { readonly _tag: "Warning"; readonly field: string; readonly message: string; readonly isOnce?: true }
  /** The line adds nothing to an earlier one. */
  | { readonly _tag: "Repeated"; readonly message: string }

/** A source cannot be read at all; `problem` says why and what to do. A single bad line is an item instead. */
export class ReadError extends Data.TaggedError("ReadError")<{ readonly path: string; readonly problem: string }> {
  override get message() {
    return `${this.path}: ${this.problem}`
  }
}

/** Where an item comes from. */
export interface Origin {
  readonly file: string
  readonly line: number
}

export const found = ({ file, line }: Origin, entity: BundleEntity): Item => ({
  file,
  line,
  result: { _tag: "Entity", entity }
})

export const rejected = ({ file, line }: Origin, field: string, message: string): Item => ({
  file,
  line,
  result: { _tag: "Rejected", field, message }
})

export const warning = ({ file, line }: Origin, field: string, message: string): Item => ({
  file,
  line,
  result: { _tag: "Warning", field, message }
})

/** A warning that a source gives once, however many lines it is true of. */
export const onceWarning = ({ file, line }: Origin, field: string, message: string): Item => ({
  file,
  line,
  result: { _tag: "Warning", field, message, isOnce: true }
})

/** Reports the optional parts of a record that are left out of it. */
export const leftOutOf = (origin: Origin, faults: ReadonlyArray<Fault>): ReadonlyArray<Item> =>
  faults.map(({ field, message }) => warning(origin, field, `${message}; it is left out`))

export const repeated = ({ file, line }: Origin, message: string): Item => ({
  file,
  line,
  result: { _tag: "Repeated", message }
})
