import { readFile } from 'node:fs/promises'

const channels = 2
const bytesPerSample = Float32Array.BYTES_PER_ELEMENT

export interface AacSettings {
  sampleRate: number
  bitsPerSecond: number
}

/**
 * Encodes stereo sound as AAC-LC with FFmpeg's encoder, which `@mediabunny/aac-encoder` contains as
 * WebAssembly. The same sound gives the same bytes on every machine.
 */
export class AacEncoder implements Disposable {
  /** The AudioSpecificConfig. */
  readonly description: Uint8Array
  readonly samplesPerPacket: number
  readonly #module: AacModule
  readonly #context: number

  static async open(settings: AacSettings): Promise<AacEncoder> {
    return new AacEncoder(await loadModule(), settings)
  }

  private constructor(module: AacModule, { sampleRate, bitsPerSecond }: AacSettings) {
    this.#module = module
    this.#context = module._init_encoder(channels, sampleRate, bitsPerSecond)
    if (this.#context === 0) throw new Error('the AAC encoder could not be opened')
    this.samplesPerPacket = module._get_encoder_frame_size(this.#context)
    const description = module._get_encoder_extradata(this.#context)
    this.description = this.#copy(description, module._get_encoder_extradata_size(this.#context))
  }

  /**
   * Encodes the samples of one packet. Missing samples are replaced by silence. Returns the packets
   * that are complete, which may be none: the encoder is one or two packets behind.
   */
  encode(left: Float32Array, right: Float32Array, firstSample: number): Uint8Array[] {
    const module = this.#module
    const samples = channels * this.samplesPerPacket
    const address = module._get_encode_input_ptr(this.#context, samples * bytesPerSample)
    if (address === 0) throw new Error('the AAC encoder has no memory left')
    const input = new Float32Array(module.HEAPU8.buffer, address, samples)
    for (let sample = 0; sample < this.samplesPerPacket; sample++) {
      input[channels * sample] = left[sample] ?? 0
      input[channels * sample + 1] = right[sample] ?? 0
    }
    requireSuccess(module._send_frame(this.#context, BigInt(firstSample)))
    return this.#readyPackets()
  }

  /** Returns the last packets. No samples can be encoded after this call. */
  flush(): Uint8Array[] {
    this.#module._flush_encoder_start(this.#context)
    return this.#readyPackets()
  }

  [Symbol.dispose](): void {
    this.#module._close_encoder(this.#context)
  }

  #readyPackets(): Uint8Array[] {
    const packets: Uint8Array[] = []
    for (;;) {
      const size = this.#module._receive_packet(this.#context)
      if (size === 0) return packets
      requireSuccess(size)
      packets.push(this.#copy(this.#module._get_encoded_data(this.#context), size))
    }
  }

  #copy(address: number, size: number): Uint8Array {
    return this.#module.HEAPU8.slice(address, address + size)
  }
}

function requireSuccess(code: number): void {
  if (code < 0) throw new Error(`the AAC encoder failed with code ${code}`)
}

/**
 * The functions of `src/bridge.c` in the package. Contexts, and the results of
 * `_get_encoder_extradata`, `_get_encode_input_ptr` and `_get_encoded_data`, are addresses.
 */
interface AacModule {
  /** View of the module's memory. A new view replaces it when the memory grows. */
  readonly HEAPU8: Uint8Array<ArrayBuffer>
  _init_encoder(channels: number, sampleRate: number, bitsPerSecond: number): number
  _get_encoder_frame_size(context: number): number
  _get_encoder_extradata(context: number): number
  _get_encoder_extradata_size(context: number): number
  _get_encode_input_ptr(context: number, sizeBytes: number): number
  _send_frame(context: number, firstSample: bigint): number
  _receive_packet(context: number): number
  _get_encoded_data(context: number): number
  _flush_encoder_start(context: number): void
  _close_encoder(context: number): void
}

let modulePromise: Promise<AacModule> | undefined

function loadModule(): Promise<AacModule> {
  modulePromise ??= importModule()
  return modulePromise
}

/**
 * The package's own interface starts a thread and compiles the module for each video, which takes
 * 0.2 s of CPU time. This thread keeps one instance instead. The module's file uses both the
 * `exports` of CommonJS and `import.meta`, and no loader accepts both. The file is therefore
 * imported with an `exports` object in front of it.
 */
async function importModule(): Promise<AacModule> {
  const entry = import.meta.resolve('@mediabunny/aac-encoder')
  const code = await readFile(new URL('../modules/build/aac.js', entry), 'utf8')
  const wrapped = `const exports = {}\n${code}\nexport default exports.default`
  const { default: open } = (await import(`data:text/javascript;base64,${Buffer.from(wrapped).toString('base64')}`)) as {
    default: () => Promise<AacModule>
  }
  return await open()
}
