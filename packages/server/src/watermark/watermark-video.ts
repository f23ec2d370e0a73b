import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PixelSize } from '@framegate/contract'
import { EncodedVideoChunk, VideoDecoder, VideoEncoder, VideoFrame } from '@napi-rs/webcodecs'
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  FilePathSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
  WEBM,
  type InputAudioTrack,
  type InputVideoTrack,
} from 'mediabunny'
import { createWatermarkBlend } from './blend-watermark.ts'
import type { WatermarkDesign } from './watermark-design.ts'
import { watermarkPixelsOfFrames } from './watermark-pixels.ts'

/**
 * Maximum number of frames that wait in the decoder, and in the encoder: enough to keep them busy,
 * and few enough to limit memory.
 */
const queuedFramesMax = 3
/** Number of frames between two garbage collections, which release the memory of closed frames. */
const framesPerCollection = 8
const keyFrameInterval = 48
/** Returns the H.264 codec for a size: level 4.0 up to 1080p, level 5.2 for larger sizes. */
const codecOf = ({ width, height }: PixelSize): string => (width * height <= 2_088_960 ? 'avc1.640028' : 'avc1.640034')

interface EncodedVideo {
  decoderConfig: VideoDecoderConfig
  packets: { bytes: Uint8Array; isKey: boolean }[]
}

/**
 * Writes the video with the watermark, as H.264 in MP4. Each frame is decoded, gets the watermark,
 * and is encoded again with its original time, in a quality nearly indistinguishable from the
 * original. The sound is copied unchanged.
 */
export async function watermarkVideo(sourcePath: string, targetPath: string, design: WatermarkDesign): Promise<void> {
  using file = new Input({ source: new FilePathSource(sourcePath), formats: [MP4, WEBM] })
  const videoTrack = await file.getPrimaryVideoTrack()
  if (videoTrack === null) throw new Error('the video has no video track')
  const times = await timesOf(videoTrack)
  const { decoderConfig, packets } = await drawOnFrames(videoTrack, design)
  if (packets.length !== times.length) throw new Error(`only ${packets.length} of ${times.length} frames could be decoded`)

  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const video = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(video, { rotation: videoTrack.rotation })
  const audioTrack = await file.getPrimaryAudioTrack()
  const audio = audioTrack?.codec == null ? null : new EncodedAudioPacketSource(audioTrack.codec)
  if (audio !== null) output.addAudioTrack(audio)
  await output.start()
  const addFrames = async (): Promise<void> => {
    for (const [index, { bytes, isKey }] of packets.entries()) {
      const { timestamp, duration } = times[index] ?? { timestamp: 0, duration: 0 }
      const packet = new EncodedPacket(bytes, isKey ? 'key' : 'delta', timestamp, duration)
      await video.add(packet, index === 0 ? { decoderConfig } : undefined)
    }
    video.close()
  }
  await Promise.all([addFrames(), audioTrack && audio && copySound(audioTrack, audio)])
  await output.finalize()
  if (target.buffer === null) throw new Error('the video was not written')
  await writeFile(targetPath, new Uint8Array(target.buffer))
}

/** Returns the time and duration of each frame, in display order. */
async function timesOf(videoTrack: InputVideoTrack): Promise<{ timestamp: number; duration: number }[]> {
  const times: { timestamp: number; duration: number }[] = []
  for await (const { timestamp, duration } of new EncodedPacketSink(videoTrack).packets(undefined, undefined, {
    metadataOnly: true,
  })) {
    times.push({ timestamp, duration })
  }
  return times.toSorted((a, b) => a.timestamp - b.timestamp)
}

/**
 * Draws the watermark on all frames. The decoder outputs frames in display order, and the encoder
 * does not reorder them.
 */
async function drawOnFrames(videoTrack: InputVideoTrack, design: WatermarkDesign): Promise<EncodedVideo> {
  const config = await videoTrack.getDecoderConfig()
  if (config === null) throw new Error('the video has no decoder configuration')
  const size = { width: videoTrack.codedWidth, height: videoTrack.codedHeight }
  if (size.width % 2 !== 0 || size.height % 2 !== 0) throw new Error('a video with odd sides cannot be watermarked')
  const { colorSpace = {} } = config
  const mark = watermarkPixelsOfFrames(size, videoTrack.rotation, design)
  const blend = createWatermarkBlend(size, mark, colorSpace.fullRange === true)
  const errors: Error[] = []
  const decodedFrames: VideoFrame[] = []
  const markedVideo: EncodedVideo = { decoderConfig: { codec: codecOf(size) }, packets: [] }
  const decoder = new VideoDecoder({ output: (frame) => decodedFrames.push(frame), error: (error) => errors.push(error) })
  const encoder = new VideoEncoder({
    output(chunk, metadata) {
      const decoderConfig = metadata?.decoderConfig
      if (decoderConfig?.description != null) {
        const { codec, description } = decoderConfig
        markedVideo.decoderConfig = { codec, description, codedWidth: size.width, codedHeight: size.height, colorSpace }
      }
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      markedVideo.packets.push({ bytes, isKey: chunk.type === 'key' })
    },
    error: (error) => errors.push(error),
  })
  try {
    decoder.configure(config as Parameters<typeof decoder.configure>[0])
    // The bit rate mode `quantizer` means constant quality.
    const encoderMode = { latencyMode: 'quality', bitrateMode: 'quantizer', hardwareAcceleration: 'prefer-software' } as const
    encoder.configure({ codec: codecOf(size), ...size, ...encoderMode })
    let frameCount = 0
    const markDecoded = async (): Promise<void> => {
      for (let frame = decodedFrames.shift(); frame !== undefined; frame = decodedFrames.shift()) {
        const i420 = await pixelsOf(frame, size)
        blend(i420)
        const timestamp = Math.round((frameCount * 1e6) / 24)
        const markedFrame = new VideoFrame(i420, { format: 'I420', codedWidth: size.width, codedHeight: size.height, timestamp })
        encoder.encode(markedFrame, { keyFrame: frameCount % keyFrameInterval === 0 })
        markedFrame.close()
        if (++frameCount % framesPerCollection === 0) globalThis.gc?.({ type: 'minor' })
        while (encoder.encodeQueueSize > queuedFramesMax) await waitBriefly(errors)
      }
    }
    for await (const { type, microsecondTimestamp, data } of new EncodedPacketSink(videoTrack).packets()) {
      decoder.decode(new EncodedVideoChunk({ type, timestamp: microsecondTimestamp, data }))
      while (decoder.decodeQueueSize > queuedFramesMax) await waitBriefly(errors)
      await markDecoded()
    }
    await decoder.flush()
    await markDecoded()
    await encoder.flush()
    if (errors[0] !== undefined) throw errors[0]
    return markedVideo
  } finally {
    for (const coder of [decoder, encoder]) if (coder.state !== 'closed') coder.close()
  }
}

async function waitBriefly(errors: readonly Error[]): Promise<void> {
  if (errors[0] !== undefined) throw errors[0]
  await sleep(1)
}

async function pixelsOf(frame: VideoFrame, { width, height }: PixelSize): Promise<Uint8Array> {
  try {
    const sampleCount = width * height * 1.5
    if (frame.format === 'I420P10') {
      const tenBitSamples = new Uint16Array(sampleCount)
      await frame.copyTo(new Uint8Array(tenBitSamples.buffer))
      return toEightBits(tenBitSamples)
    }
    if (frame.format !== 'I420') throw new Error(`frames in the format ${frame.format} cannot be watermarked`)
    const i420 = new Uint8Array(sampleCount)
    await frame.copyTo(i420)
    return i420
  } finally {
    frame.close()
  }
}

function toEightBits(tenBitSamples: Uint16Array): Uint8Array {
  const eightBitSamples = new Uint8Array(tenBitSamples.length)
  for (let index = 0; index < tenBitSamples.length; index++) {
    eightBitSamples[index] = Math.min(255, ((tenBitSamples[index] ?? 0) + 2) >> 2)
  }
  return eightBitSamples
}

async function copySound(audioTrack: InputAudioTrack, audio: EncodedAudioPacketSource): Promise<void> {
  const decoderConfig = await audioTrack.getDecoderConfig()
  let isFirst = true
  for await (const packet of new EncodedPacketSink(audioTrack).packets()) {
    await audio.add(packet, isFirst && decoderConfig !== null ? { decoderConfig } : undefined)
    isFirst = false
  }
  audio.close()
}
