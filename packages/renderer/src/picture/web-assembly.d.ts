// The parts of the WebAssembly global that this package uses. TypeScript declares the global only
// together with the DOM.
declare namespace WebAssembly {
  interface MemoryDescriptor {
    initial: number
    maximum?: number
    shared?: boolean
  }
  class Memory {
    constructor(descriptor: MemoryDescriptor)
    readonly buffer: SharedArrayBuffer
  }
  interface Module {
    readonly [Symbol.toStringTag]: string
  }
  const Module: new (bytes: Uint8Array) => Module
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>)
    readonly exports: Record<string, unknown>
  }
}
