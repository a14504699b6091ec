/** The part of media-captions in use; its own declarations lack file endings and so do not resolve under nodenext. */
declare module "media-captions" {
  /** When a caption is shown, in seconds, and its text with whatever tags are in it. */
  export interface VTTCue {
    readonly startTime: number
    readonly endTime: number
    readonly text: string
  }

  export type VTTNode =
    | { readonly type: "text"; readonly data: string }
    | { readonly type: "v"; readonly voice: string; readonly children: ReadonlyArray<VTTNode> }
    | {
        readonly type: "c" | "i" | "b" | "u" | "ruby" | "rt" | "lang" | "timestamp"
        readonly children: ReadonlyArray<VTTNode>
      }

  export function parseText(
    text: string,
    options: { readonly type: "vtt" | "srt"; readonly strict: boolean; readonly errors: boolean }
  ): Promise<{ readonly cues: ReadonlyArray<VTTCue>; readonly errors: ReadonlyArray<Error> }>

  export function tokenizeVTTCue(cue: VTTCue): ReadonlyArray<VTTNode>
}
