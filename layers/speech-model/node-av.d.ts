/** The part of node-av in use. It is installed by operators who want it, so its own declarations may be absent. */
declare module "node-av/lib" {
  /** A graph of FFmpeg's filters. Numbers below zero are its error codes. */
  export class FilterGraph {
    alloc(): void
    parsePtr(filters: string): number
    configSync(): number
    requestOldestSync(): number
  }

  export const Log: { readonly setLevel: (level: number) => void }
}
