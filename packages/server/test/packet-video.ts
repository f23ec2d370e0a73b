import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
  type MkvOutputFormat,
  type MovOutputFormat,
} from 'mediabunny'

// Decoder configuration of an x264 stream of 64 x 48 pixels. A probe does not decode, so the
// packets may have any contents.
const avcDescription = Buffer.from('0164000affe100156764000aacb423d08000000300800000184789135001000468ef0fcb', 'hex')
export const aacDescription = Buffer.from('1190', 'hex')

export interface VideoPlan {
  format?: Mp4OutputFormat | MovOutputFormat | MkvOutputFormat | WebMOutputFormat
  frames?: number
  framesPerSecond?: number
  firstFrameAtSeconds?: number
  withSound?: boolean
  rotation?: 0 | 90
  /** Size in pixels in the metadata of the container. */
  width?: number
  height?: number
}

/** Creates a video whose packets cannot be decoded, for readers that only read its structure. */
export async function packetVideo(plan: VideoPlan = {}): Promise<Buffer> {
  const { format = new Mp4OutputFormat({ fastStart: 'in-memory' }), frames = 120, framesPerSecond = 24 } = plan
  const isAvc = !(format instanceof WebMOutputFormat)
  const target = new BufferTarget()
  const output = new Output({ format, target })
  const video = new EncodedVideoPacketSource(isAvc ? 'avc' : 'vp8')
  output.addVideoTrack(video, { frameRate: framesPerSecond, rotation: plan.rotation ?? 0 })
  const audio = new EncodedAudioPacketSource('aac')
  if (plan.withSound) output.addAudioTrack(audio)
  await output.start()
  for (let i = 0; i < frames; i++) {
    const atSeconds = (plan.firstFrameAtSeconds ?? 0) + i / framesPerSecond
    await video.add(
      new EncodedPacket(new Uint8Array(64).fill(i), i % 48 === 0 ? 'key' : 'delta', atSeconds, 1 / framesPerSecond),
      {
        decoderConfig: {
          codec: isAvc ? 'avc1.64000a' : 'vp8',
          codedWidth: plan.width ?? 64,
          codedHeight: plan.height ?? 48,
          ...(isAvc && { description: avcDescription }),
        },
      },
    )
  }
  // AAC has blocks of 1,024 samples, so the audio of a five-second video ends 13 ms after its
  // frames.
  for (let block = 0; plan.withSound && block < 235; block++) {
    await audio.add(new EncodedPacket(new Uint8Array(32), 'key', (block * 1024) / 48_000, 1024 / 48_000), {
      decoderConfig: { codec: 'mp4a.40.2', numberOfChannels: 2, sampleRate: 48_000, description: aacDescription },
    })
  }
  await output.finalize()
  if (target.buffer === null) throw new Error('the video was not written')
  return Buffer.from(target.buffer)
}
