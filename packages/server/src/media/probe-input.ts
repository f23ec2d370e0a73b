import { open } from 'node:fs/promises'
import {
  FilePathSource,
  FLAC,
  Input,
  MP3,
  MP4,
  OGG,
  QTFF,
  UnsupportedInputFormatError,
  WAVE,
  WEBM,
  type InputAudioTrack,
  type InputFormat,
  type InputTrack,
  type InputVideoTrack,
} from 'mediabunny'
import { describeFormat } from '../lib/image-type.ts'
import { announcedKind, audioNames, videoNames, type AudioType, type VideoType } from '../lib/media-type.ts'
import { mediaInputLimits } from './media-input-limits.ts'
import { firstBytes, MediaProbeError, requireComplete } from './probe-media.ts'

/** Properties of an input video or sound. */
export interface InputFacts {
  contentType: VideoType | AudioType
  kind: 'video' | 'audio'
  /** Width as displayed, after the rotation that the file contains. Null for sound. */
  width: number | null
  height: number | null
  /** Duration, rounded to milliseconds. */
  durationSeconds: number
  /** Average frame rate of the first frames. Null for sound. */
  framesPerSecond: number | null
  /**
   * Codec of the video track, if any, followed by the codec of the audio track, if any. Example:
   * `avc`, `aac`.
   */
  codecs: string[]
  hasAudio: boolean
}

const typesByFormat = new Map<InputFormat, { video: VideoType | null; audio: AudioType | null }>([
  [MP4, { video: 'video/mp4', audio: 'audio/mp4' }],
  [QTFF, { video: 'video/quicktime', audio: 'audio/mp4' }],
  [WEBM, { video: 'video/webm', audio: null }],
  [MP3, { video: null, audio: 'audio/mpeg' }],
  [WAVE, { video: null, audio: 'audio/wav' }],
  [FLAC, { video: null, audio: 'audio/flac' }],
  [OGG, { video: null, audio: 'audio/ogg' }],
])

const videoCodecs: readonly string[] = ['avc', 'hevc', 'vp8', 'vp9', 'av1']
const audioCodecs: readonly string[] = ['aac', 'mp3', 'opus', 'vorbis', 'flac']

const readCacheBytes = 4 * 1024 * 1024
/** Number of frames over which a variable frame rate is averaged. */
const measuredFramesMax = 1_000

const formatHint = `send a video as ${videoNames}, or sound as ${audioNames}`

/**
 * Probes an input video or sound by its contents alone, without decoding it. The tracks determine
 * the kind: an MP4 without a video track is sound. Throws a `MediaProbeError` with a sentence for
 * the client if the file is not usable or exceeds the limits of the service.
 */
export async function probeInput(path: string): Promise<InputFacts> {
  const start = await firstBytes(path)
  const kind = announcedKind(start)
  if (kind !== 'video' && kind !== 'audio') {
    throw new MediaProbeError('not_media', `this is ${kind === 'image' ? 'an image' : describeFormat(start)}; ${formatHint}`)
  }
  const isDamaged = Buffer.from(start).toString('latin1').startsWith('fLaC') && !(await hasFlacFrames(path))
  if (isDamaged) throw damaged()
  using file = new Input({
    source: new FilePathSource(path, { maxCacheSize: readCacheBytes }),
    formats: [...typesByFormat.keys()],
  })
  try {
    return await readFacts(file)
  } catch (cause) {
    if (cause instanceof MediaProbeError) throw cause
    if (cause instanceof UnsupportedInputFormatError) {
      throw new MediaProbeError('not_media', `this is a format that the service does not read; ${formatHint}`, { cause })
    }
    throw damaged(cause)
  }
}

function damaged(cause?: unknown): MediaProbeError {
  return new MediaProbeError('broken', `the file is damaged or incomplete; ${formatHint}`, { cause })
}

/**
 * Whether a FLAC file continues after its metadata blocks (RFC 9639, section 8). If it does not,
 * the library would search for the first frame without end.
 */
async function hasFlacFrames(path: string): Promise<boolean> {
  await using file = await open(path)
  const { size: sizeBytes } = await file.stat()
  const header = Buffer.alloc(4)
  for (let position = 4, isLast = false; !isLast;) {
    const { bytesRead } = await file.read(header, 0, header.length, position)
    if (bytesRead < header.length) return false
    isLast = header.readUInt8(0) >= 0x80
    position += header.length + header.readUIntBE(1, 3)
    if (position >= sizeBytes) return false
  }
  return true
}

async function readFacts(file: Input): Promise<InputFacts> {
  const { video: videoType, audio: audioType } = typesByFormat.get(await file.getFormat()) ?? { video: null, audio: null }
  const tracks = await file.getTracks()
  if (tracks.length > mediaInputLimits.tracksMax) {
    throw refusalOf(`it has ${tracks.length} tracks; at most ${mediaInputLimits.tracksMax} are allowed`)
  }
  const videoTrack = await file.getPrimaryVideoTrack()
  const audioTrack = await file.getPrimaryAudioTrack()
  const mainTrack = videoTrack ?? audioTrack
  const contentType = videoTrack === null ? audioType : videoType
  if (mainTrack === null || contentType === null) {
    throw new MediaProbeError(
      'broken',
      `the file has no video or audio track that can be read: it is incomplete or empty; ${formatHint}`,
    )
  }
  const codecs = [
    ...(videoTrack === null ? [] : [await codecOf(videoTrack, videoCodecs, 'video')]),
    ...(audioTrack === null ? [] : [await codecOf(audioTrack, audioCodecs, 'audio')]),
  ]
  const durationSeconds = await measureSeconds(mainTrack)
  // The audio track is also read to its end. Otherwise a provider would reject a damaged track only
  // after the submit.
  if (videoTrack !== null && audioTrack !== null) await measureSeconds(audioTrack)
  return {
    contentType,
    kind: videoTrack === null ? 'audio' : 'video',
    durationSeconds,
    codecs,
    hasAudio: audioTrack !== null,
    ...(videoTrack === null ? { width: null, height: null, framesPerSecond: null } : await displayFactsOf(videoTrack)),
  }
}

async function codecOf(track: InputVideoTrack | InputAudioTrack, knownCodecs: readonly string[], kind: string): Promise<string> {
  const codec = await track.getCodec()
  if (codec !== null && (knownCodecs.includes(codec) || (kind === 'audio' && codec.startsWith('pcm-')))) return codec
  const allowedCodecs = kind === 'video' ? 'H.264, H.265, VP8, VP9 or AV1' : 'AAC, MP3, Opus, Vorbis, FLAC or PCM'
  throw refusalOf(`its ${kind} is encoded as ${codec ?? 'an unknown or encrypted format'}; encode it as ${allowedCodecs}`)
}

/** Returns the duration of a track. Throws if the track is incomplete, empty or too long. */
async function measureSeconds(track: InputTrack): Promise<number> {
  const { secondsMax } = mediaInputLimits
  // The announced length is checked first, because reading a file of an absurd length to its end
  // would take a long time.
  const announcedSeconds = await track.getDurationFromMetadata()
  if (announcedSeconds !== null && announcedSeconds > secondsMax) throw tooLong(announcedSeconds)
  await requireComplete(track)
  const seconds = Math.round(((await track.computeDuration()) - (await track.getFirstTimestamp())) * 1000) / 1000
  if (!(seconds > 0)) throw new MediaProbeError('broken', `the file has nothing to play; ${formatHint}`)
  if (seconds > secondsMax) throw tooLong(seconds)
  return seconds
}

async function displayFactsOf(track: InputVideoTrack): Promise<Pick<InputFacts, 'width' | 'height' | 'framesPerSecond'>> {
  const { sideMax, framesPerSecondMax } = mediaInputLimits
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
  if (![width, height].every((side) => Number.isSafeInteger(side) && side > 0 && side <= sideMax)) {
    throw refusalOf(`it measures ${width} x ${height} pixels; each side must have 1 to ${sideMax}`)
  }
  const { averagePacketRate } = await track.computePacketStats(measuredFramesMax, { metadataOnly: true })
  const framesPerSecond = Math.round(averagePacketRate * 1000) / 1000
  if (!(framesPerSecond > 0 && framesPerSecond <= framesPerSecondMax)) {
    throw refusalOf(`it has ${framesPerSecond} frames per second; at most ${framesPerSecondMax} are allowed`)
  }
  return { width, height, framesPerSecond }
}

function tooLong(seconds: number): MediaProbeError {
  return refusalOf(`it is ${Math.round(seconds * 10) / 10} seconds long; at most ${mediaInputLimits.secondsMax} are allowed`)
}

function refusalOf(problem: string): MediaProbeError {
  return new MediaProbeError('refused', problem)
}
