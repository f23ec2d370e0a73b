import { setImmediate } from 'node:timers/promises'
import { AacEncoder } from './aac-encoder.ts'
import type { EncodedTrack, SoundConfig } from './encoded-track.ts'

/** Stereo sound at 48,000 samples per second, from -1 to 1. */
export interface Sound {
  left: Float32Array
  right: Float32Array
}

export const soundRate = 48_000
export const samplesPerSoundPacket = 1024
const bitsPerSecond = 160_000
/** About a second of sound. Its encoding takes 20 ms. */
const packetsPerTick = 48

/**
 * Encodes sound as AAC-LC. The first packet is priming: a decoder needs it to decode the second
 * packet, in which the sound begins.
 */
export async function encodeSound({ left, right }: Sound, signal: AbortSignal): Promise<EncodedTrack<SoundConfig>> {
  using encoder = await AacEncoder.open({ sampleRate: soundRate, bitsPerSecond })
  if (encoder.samplesPerPacket !== samplesPerSoundPacket) throw new Error('the AAC encoder uses packets of an unexpected length')
  const packets: Uint8Array[] = []
  for (let start = 0; start < left.length; start += samplesPerSoundPacket) {
    if (start % (packetsPerTick * samplesPerSoundPacket) === 0) {
      // Lets the thread receive messages, such as a stop.
      await setImmediate()
      signal.throwIfAborted()
    }
    const end = start + samplesPerSoundPacket
    packets.push(...encoder.encode(left.subarray(start, end), right.subarray(start, end), start))
  }
  packets.push(...encoder.flush())
  const config = { codec: 'mp4a.40.2', description: encoder.description }
  return { config, packets: packets.map((bytes) => ({ bytes, isKey: true })) }
}
