import { setTimeout } from 'node:timers/promises'
import {
  AudioDecoder,
  EncodedAudioChunk,
  EncodedVideoChunk,
  VideoDecoder,
  type AudioData,
  type VideoFrame,
} from '@napi-rs/webcodecs'
import {
  BufferSource,
  EncodedPacketSink,
  Input,
  MP4,
  type EncodedPacket,
  type InputAudioTrack,
  type InputVideoTrack,
} from 'mediabunny'

/**
 * The content of a video as a player plays it: the planes of each frame, and the samples of its
 * sound.
 */
export interface DecodedVideo {
  width: number
  height: number
  codec: string
  colorSpace: unknown
  /** I420, tightly packed. */
  frames: Uint8Array[]
  timestampsSeconds: number[]
  videoSeconds: number
  /** Null without a sound track. */
  sound: DecodedSound | null
}

export interface DecodedSound {
  left: Float32Array
  right: Float32Array
  seconds: number
  codec: string
}

export async function decodeVideo(mp4: Uint8Array): Promise<DecodedVideo> {
  using file = new Input({ source: new BufferSource(mp4), formats: [MP4] })
  const video = await file.getPrimaryVideoTrack()
  const config = await video?.getDecoderConfig()
  if (video === null || !config) throw new Error('the video has no frames')
  const packets = await packetsOf(video)
  const audio = await file.getPrimaryAudioTrack()
  return {
    width: video.codedWidth,
    height: video.codedHeight,
    codec: config.codec,
    colorSpace: config.colorSpace,
    frames: await decodeFrames(packets, config),
    timestampsSeconds: packets.map(({ timestamp }) => timestamp),
    videoSeconds: await video.computeDuration(),
    sound: audio && (await decodeSound(audio)),
  }
}

async function packetsOf(track: InputVideoTrack | InputAudioTrack): Promise<EncodedPacket[]> {
  const packets: EncodedPacket[] = []
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet)
  return packets
}

async function decodeFrames(packets: EncodedPacket[], config: object): Promise<Uint8Array[]> {
  const frames: Promise<Uint8Array>[] = []
  await decodeAll(
    VideoDecoder,
    config,
    (frame: VideoFrame) => frames.push(planesOf(frame)),
    (decoder) => {
      for (const { type, microsecondTimestamp: timestamp, data } of packets) {
        decoder.decode(new EncodedVideoChunk({ type, timestamp, data }))
      }
    },
    () => frames.length >= packets.length,
  )
  return await Promise.all(frames)
}

async function planesOf(frame: VideoFrame): Promise<Uint8Array> {
  const bytes = new Uint8Array(frame.codedWidth * frame.codedHeight * 1.5)
  await frame.copyTo(bytes)
  frame.close()
  return bytes
}

async function decodeSound(track: InputAudioTrack): Promise<DecodedSound> {
  const config = await track.getDecoderConfig()
  if (config === null) throw new Error('the sound cannot be decoded')
  const channels: [Float32Array[], Float32Array[]] = [[], []]
  const packets = await packetsOf(track)
  const appendSamples = (block: AudioData): void => {
    // A player skips the samples before the start, which are the encoder's priming.
    const priming = Math.max(0, Math.round((-block.timestamp * block.sampleRate) / 1e6))
    for (const planeIndex of [0, 1] as const) {
      const samples = new Float32Array(block.numberOfFrames)
      block.copyTo(new Uint8Array(samples.buffer), { planeIndex, format: 'f32-planar' })
      channels[planeIndex].push(samples.subarray(priming))
    }
    block.close()
  }
  await decodeAll(AudioDecoder, config, appendSamples, (decoder) => {
    for (const { microsecondTimestamp: timestamp, data } of packets) {
      decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp, data }))
    }
  })
  const [left, right] = [joinBlocks(channels[0]), joinBlocks(channels[1])]
  return { left, right, seconds: await track.computeDuration(), codec: config.codec }
}

function joinBlocks(blocks: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(blocks.reduce((length, block) => length + block.length, 0))
  let offset = 0
  for (const block of blocks) {
    joined.set(block, offset)
    offset += block.length
  }
  return joined
}

/** Maximum number of waits of 10 ms for the outputs of a decoder. */
const outputWaitsMax = 500

interface Decoder {
  configure(config: never): void
  flush(): Promise<void>
  close(): void
}

async function decodeAll<Output, Made extends Decoder>(
  decoderClass: new (init: { output: (output: Output) => void; error: (error: Error) => void }) => Made,
  config: object,
  output: (output: Output) => void,
  feed: (decoder: Made) => void,
  isComplete: () => boolean = () => true,
): Promise<void> {
  const errors: Error[] = []
  const decoder = new decoderClass({ output, error: (error) => errors.push(error) })
  decoder.configure(config as never)
  feed(decoder)
  await decoder.flush()
  // On a busy machine, the last outputs arrive after the flush. If the decoder were closed first,
  // the next decoder would receive them.
  for (let waits = 0; !isComplete() && errors.length === 0 && waits < outputWaitsMax; waits++) await setTimeout(10)
  decoder.close()
  if (errors[0] !== undefined) throw errors[0]
}

/** Returns the peak signal-to-noise ratio of the first `count` bytes of two images, in decibels. */
export function psnr(left: Uint8Array, right: Uint8Array, count: number): number {
  let sum = 0
  for (let index = 0; index < count; index++) sum += ((left[index] ?? 0) - (right[index] ?? 0)) ** 2
  return 10 * Math.log10(255 ** 2 / (sum / count))
}

export function rootMeanSquare(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)
}
