import { Data } from "effect"
import type { BundleEntity } from "../../../schema/bundle.ts"

/**
 * What a reader makes of one line (or numbered record) of a file. A line may give several items: the place and the body
 * it is the first to name, its meeting, a warning about it. `file` is the path within what was opened.
 */
export interface Item {
  readonly file: string
  /** From 1; 1 also where the whole file is one record. */
  readonly line: number
  readonly result: ItemResult
}

export type ItemResult =
  | { readonly _tag: "Entity"; readonly entity: BundleEntity }
  /** The line gives nothing; `field` is a dotted path such as `segments.3.start`, "" for the whole line. */
  | { readonly _tag: "Rejected"; readonly field: string; readonly message: string }
  /** The line is taken, but not all of it, or not as it stands; or it holds nothing of a meeting. */
  | { readonly _tag: "Warning"; readonly field: string; readonly message: string }
  /** The line says again, and no better, what another does. */
  | { readonly _tag: "Repeated"; readonly message: string }

/** A source cannot be read at all; `problem` says why and what to do. Single bad lines are items instead. */
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

export const repeated = ({ file, line }: Origin, message: string): Item => ({
  file,
  line,
  result: { _tag: "Repeated", message }
})
