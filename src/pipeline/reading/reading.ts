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

/** A bookmark of a PDF, and the page that it leads to, from 1. */
interface BookmarkRead {
  readonly title: string
  readonly page: number
}

export interface PagesRead {
  /** The text of each page, a line of the page on a line. */
  readonly pages: ReadonlyArray<string>
  /** How many pages the document has. */
  readonly count: number
  /** The bookmarks of a PDF, in their order; missing where none were asked for. */
  readonly bookmarks?: ReadonlyArray<BookmarkRead>
}

/** A file with the picture of a page. */
export interface PageImage {
  readonly number: number
  readonly file: string
}
