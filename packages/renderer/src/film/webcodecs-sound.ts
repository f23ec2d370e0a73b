import { AudioData, AudioEncoder } from '@napi-rs/webcodecs'
import type { Packet, SoundConfig } from './encoded-track.ts'
import { soundRate, type EncodeSound } from './sound-encoder.ts'

const soundBlock = 1024
const soundBitsPerSecond = 160_000

/** AAC encoding by the FFmpeg that is linked into a package of this process. */
export const encodeSound: EncodeSound = async ({ left, right }, signal) => {
  const packets: Packet[] = []
  let config: SoundConfig | undefined
  let fault: Error | undefined
  const native = new AudioEncoder({
    output(chunk, metadata) {
      const { codec, description } = metadata?.decoderConfig ?? {}
      if (codec !== undefined && description !== undefined) config ??= { codec, description: copyOf(description) }
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      packets.push({ bytes, isKey: true })
    },
    error(error) {
      fault = error
    },
  })
  try {
    native.configure({ codec: 'mp4a.40.2', sampleRate: soundRate, numberOfChannels: 2, bitrate: soundBitsPerSecond })
    const block = new Float32Array(2 * soundBlock)
    for (let start = 0; start < left.length; start += soundBlock) {
      signal.throwIfAborted()
      block.fill(0)
      block.set(left.subarray(start, start + soundBlock), 0)
      block.set(right.subarray(start, start + soundBlock), soundBlock)
      const audio = new AudioData({
        format: 'f32-planar',
        sampleRate: soundRate,
        numberOfFrames: soundBlock,
        numberOfChannels: 2,
        timestamp: Math.round((start * 1e6) / soundRate),
        data: new Uint8Array(block.buffer),
      })
      native.encode(audio)
      audio.close()
    }
    await native.flush()
    if (fault !== undefined) throw fault
    if (config === undefined) throw new Error('the encoder described no sound')
    return { config, packets }
  } finally {
    if (native.state !== 'closed') native.close()
  }
}

function copyOf(bytes: ArrayBufferView | ArrayBufferLike): Uint8Array {
  return ArrayBuffer.isView(bytes)
    ? Uint8Array.from(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    : Uint8Array.from(new Uint8Array(bytes))
}
