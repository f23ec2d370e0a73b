import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { BufferSource, EncodedPacketSink, Input, MP4, type InputTrack } from 'mediabunny'
import type { Packet } from './encoded-track.ts'
import { soundRate, type EncodeSound, type Sound } from './sound-encoder.ts'

/** Found on PATH. */
export const ffmpegProgram = 'ffmpeg'
/** Far above the size of the sound of the longest possible video. */
const outputBytesMax = 16 * 1024 * 1024
const complaintCharactersMax = 2000

/**
 * A fragmented MP4 needs no seeking, so ffmpeg can write it to a pipe. Only its packets are used.
 */
const outputArguments = [
  '-fflags',
  '+bitexact',
  '-flags',
  '+bitexact',
  '-f',
  'mp4',
  '-movflags',
  'frag_keyframe+empty_moov',
  'pipe:1',
]

/** AAC encoding by the ffmpeg on PATH. */
export const encodeSound: EncodeSound = async (sound, signal) => {
  const format = ['-f', 'f32le', '-ar', String(soundRate), '-ac', '2', '-i', 'pipe:0']
  const program = new Ffmpeg([...format, '-c:a', 'aac', '-b:a', '160k'], signal)
  try {
    await program.write(interleave(sound))
    using film = await program.finish()
    const track = await film.getPrimaryAudioTrack()
    const config = await track?.getDecoderConfig()
    if (track === null || !config?.description) throw new Error('ffmpeg described no sound')
    return { config: { codec: config.codec, description: bytesOf(config.description) }, packets: await packetsOf(track) }
  } finally {
    program.close()
  }
}

/**
 * One run of ffmpeg: raw input through stdin, an MP4 from stdout. The process is killed when the
 * signal aborts or `close` is called.
 */
class Ffmpeg {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #output: Buffer[] = []
  readonly #closed: Promise<void>
  #outputBytes = 0
  #complaint = ''
  #fault: Error | undefined

  constructor(inputAndCodec: string[], signal: AbortSignal) {
    const programArguments = ['-hide_banner', '-loglevel', 'error', ...inputAndCodec, ...outputArguments]
    this.#child = spawn(ffmpegProgram, programArguments, { signal, killSignal: 'SIGKILL', stdio: 'pipe' })
    this.#child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (this.#complaint.length < complaintCharactersMax) this.#complaint += text
    })
    // A broken pipe only shows that ffmpeg has exited. Its exit code and stderr have the reason.
    this.#child.stdin.on('error', () => {})
    this.#child.on('error', (cause) => {
      this.#fault ??= cause
    })
    this.#closed = new Promise((resolve) => {
      this.#child.once('close', (code) => {
        if (code !== 0) this.#fault ??= new Error(`ffmpeg ended with code ${code}: ${this.#complaint.trim()}`)
        resolve()
      })
    })
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault
    if (!this.#child.stdin.write(bytes)) await Promise.race([once(this.#child.stdin, 'drain'), this.#closed])
    if (this.#fault !== undefined) throw this.#fault
  }

  async finish(): Promise<Input> {
    this.#child.stdin.end()
    await this.#closed
    if (this.#fault !== undefined) throw this.#fault
    return new Input({ source: new BufferSource(Buffer.concat(this.#output)), formats: [MP4] })
  }

  close(): void {
    this.#child.kill('SIGKILL')
  }

  #receive(chunk: Buffer): void {
    this.#outputBytes += chunk.byteLength
    if (this.#outputBytes <= outputBytesMax) {
      this.#output.push(chunk)
      return
    }
    this.#fault ??= new Error(`ffmpeg wrote more than ${outputBytesMax} bytes`)
    this.close()
  }
}

async function packetsOf(track: InputTrack): Promise<Packet[]> {
  const packets: Packet[] = []
  for await (const { data, type } of new EncodedPacketSink(track).packets()) {
    packets.push({ bytes: Uint8Array.from(data), isKey: type === 'key' })
  }
  return packets
}

function interleave({ left, right }: Sound): Uint8Array {
  const samples = new Float32Array(left.length * 2)
  for (const [index, sample] of left.entries()) {
    samples[2 * index] = sample
    samples[2 * index + 1] = right[index] ?? 0
  }
  return new Uint8Array(samples.buffer)
}

function bytesOf(description: ArrayBufferView | ArrayBufferLike): Uint8Array {
  if (!ArrayBuffer.isView(description)) return Uint8Array.from(new Uint8Array(description))
  return Uint8Array.from(new Uint8Array(description.buffer, description.byteOffset, description.byteLength))
}
