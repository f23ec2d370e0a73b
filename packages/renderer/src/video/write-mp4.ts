import { framesPerSecond } from '@framegate/contract'
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { clearTimes } from './clear-times.ts'
import type { EncodedTrack, SoundConfig, VideoConfig } from './encoded-track.ts'
import { samplesPerSoundPacket, soundRate } from './sound-encoder.ts'

/** The color space in which the frames are composed. */
const colorSpace = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const

export interface EncodedVideo {
  video: EncodedTrack<VideoConfig>
  sound?: EncodedTrack<SoundConfig>
}

/**
 * Returns an MP4 file whose index precedes its packets. The times of packets are computed here from
 * their numbers, because the times and durations that encoders report are unreliable. The same
 * packets give the same bytes.
 */
export async function writeMp4({ video, sound }: EncodedVideo): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const videoSource = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(videoSource, { frameRate: framesPerSecond })
  const soundSource = new EncodedAudioPacketSource('aac')
  if (sound !== undefined) output.addAudioTrack(soundSource)
  await output.start()
  await Promise.all([addVideo(videoSource, video), sound && addSound(soundSource, sound, video.packets.length / framesPerSecond)])
  await output.finalize()
  if (target.buffer === null) throw new Error('the video was not written')
  const bytes = new Uint8Array(target.buffer)
  clearTimes(bytes)
  return bytes
}

async function addVideo(source: EncodedVideoPacketSource, { config, packets }: EncodedTrack<VideoConfig>): Promise<void> {
  const { codec, description, width, height } = config
  const decoderConfig = { codec, description, codedWidth: width, codedHeight: height, colorSpace }
  for (const [index, { bytes, isKey }] of packets.entries()) {
    const packet = new EncodedPacket(bytes, isKey ? 'key' : 'delta', index / framesPerSecond, 1 / framesPerSecond)
    await source.add(packet, index === 0 ? { decoderConfig } : undefined)
  }
  source.close()
}

/**
 * Adds the sound. Its priming packet is before the start of the video, where players skip it (the
 * file gets an edit list). Packets after the end of the video are omitted, and the last one is
 * played only up to that end.
 */
async function addSound(source: EncodedAudioPacketSource, sound: EncodedTrack<SoundConfig>, seconds: number): Promise<void> {
  const { codec, description } = sound.config
  const decoderConfig = { codec, description, sampleRate: soundRate, numberOfChannels: 2 }
  for (const [index, { bytes }] of sound.packets.entries()) {
    const startSeconds = ((index - 1) * samplesPerSoundPacket) / soundRate
    if (startSeconds >= seconds) break
    const packetSeconds = Math.min(samplesPerSoundPacket / soundRate, seconds - startSeconds)
    const packet = new EncodedPacket(bytes, 'key', startSeconds, packetSeconds)
    await source.add(packet, index === 0 ? { decoderConfig } : undefined)
  }
  source.close()
}
