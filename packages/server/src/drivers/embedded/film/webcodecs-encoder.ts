import { framesPerSecond, type PixelSize } from '@framegate/contract'
import { AudioData, AudioEncoder, VideoEncoder as NativeEncoder, VideoFrame } from '@napi-rs/webcodecs'
import { collectYoung } from '../../../lib/collect-garbage.ts'
import {
  keyFrameInterval,
  soundRate,
  type EncodedTrack,
  type FilmEncoder,
  type Packet,
  type Sound,
  type SoundConfig,
  type VideoConfig,
  type VideoEncoder,
} from './video-encoder.ts'

/** Frames that the encoder may hold: enough to keep it busy, few enough to keep memory flat. */
const queuedFramesMax = 2
/** Closed frames give their memory (3 MB at 1080p) back only when they are collected as garbage. */
const framesPerCollection = 8

const soundBlock = 1024
const soundBitsPerSecond = 160_000

export function createWebCodecsEncoder(): FilmEncoder {
  return { openVideo: async (size, signal) => openVideo(size, signal), encodeSound }
}

function openVideo({ width, height }: PixelSize, signal: AbortSignal): VideoEncoder {
  const packets: Packet[] = []
  let config: VideoConfig | undefined
  let fault: Error | undefined
  let wake: (() => void) | undefined
  const native = new NativeEncoder({
    output(chunk, metadata) {
      const description = metadata?.decoderConfig?.description
      if (description !== undefined) {
        config ??= { codec: metadata?.decoderConfig?.codec ?? 'avc1.640028', description: copyOf(description), width, height }
      }
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      packets.push({ bytes, isKey: chunk.type === 'key' })
    },
    error(error) {
      fault = error
      wake?.()
    },
  })
  // `quantizer` is constant quality here (CRF 23). The package always uses x264 superfast without B-frames.
  native.configure({
    codec: 'avc1.640028',
    width,
    height,
    framerate: framesPerSecond,
    latencyMode: 'quality',
    bitrateMode: 'quantizer',
    hardwareAcceleration: 'prefer-software',
  })
  const goOn = (): void => wake?.()
  native.addEventListener('dequeue', goOn)
  signal.addEventListener('abort', goOn)
  let index = 0

  return {
    async encode(i420) {
      signal.throwIfAborted()
      while (native.encodeQueueSize > queuedFramesMax) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        signal.throwIfAborted()
        if (fault !== undefined) throw fault
      }
      const frame = new VideoFrame(i420, {
        format: 'I420',
        codedWidth: width,
        codedHeight: height,
        timestamp: Math.round((index * 1e6) / framesPerSecond),
        duration: Math.round(1e6 / framesPerSecond),
        colorSpace: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false },
      })
      native.encode(frame, { keyFrame: index % keyFrameInterval === 0 })
      frame.close()
      index++
      if (index % framesPerCollection === 0) collectYoung()
    },
    async finish() {
      await native.flush()
      if (fault !== undefined) throw fault
      if (config === undefined) throw new Error('the encoder described no film')
      return { config, packets }
    },
    close() {
      signal.removeEventListener('abort', goOn)
      if (native.state !== 'closed') native.close()
    },
  }
}

async function encodeSound({ left, right }: Sound, signal: AbortSignal): Promise<EncodedTrack<SoundConfig>> {
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
