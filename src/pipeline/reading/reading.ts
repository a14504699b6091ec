/** What a thread is to read: the pages of a document, at most `most`, or pictures of some of its pages. */
export type Reading =
  | { readonly as: "pdf"; readonly from: string | Uint8Array; readonly most: number }
  | { readonly as: "docx" | "html"; readonly from: string; readonly most: number }
  | {
      readonly as: "images"
      readonly from: string
      readonly numbers: ReadonlyArray<number>
      readonly folder: string
    }

export interface PagesRead {
  /** The text of each page, a line of the page on a line. */
  readonly pages: ReadonlyArray<string>
  /** How many pages the document has. */
  readonly count: number
}

/** A file with the picture of a page. */
export interface PageImage {
  readonly number: number
  readonly file: string
}
