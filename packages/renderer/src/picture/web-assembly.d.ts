// The part of the WebAssembly global that is used here. TypeScript declares it only together with
// the whole DOM.
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
