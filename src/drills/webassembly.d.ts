/**
 * The part of the WebAssembly JavaScript Interface that is used here: Node has it, but its types come with the
 * browser's.
 */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: "WebAssembly.Module"
  }
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>
  }
  const compile: (bytes: Uint8Array) => Promise<Module>
  const instantiate: (module: Module, imports: Readonly<Record<string, object>>) => Promise<Instance>
}
