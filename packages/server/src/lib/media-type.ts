import { imageTypeOf, describeFormat, type ImageType } from './image-type.ts'

/** The video and audio formats that clients may send. File names and declared types are ignored. */
const videoTypes = ['video/mp4', 'video/quicktime', 'video/webm'] as const
const audioTypes = ['audio/mpeg', 'audio/wav', 'audio/mp4', 'audio/flac', 'audio/ogg'] as const
export const mediaTypesOf = { video: videoTypes, audio: audioTypes } as const
export type VideoType = (typeof videoTypes)[number]
export type AudioType = (typeof audioTypes)[number]
export type MediaType = ImageType | VideoType | AudioType

export type MediaKind = 'image' | 'video' | 'audio'

/** Names of the formats, for descriptions and messages. */
export const videoNames = 'MP4, MOV or WebM'
export const audioNames = 'MP3, WAV, M4A, FLAC or OGG'

export const acceptMedia = 'video/mp4,video/*,audio/*,image/*,*/*;q=0.1'

const quickTimeBoxes = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'])

/**
 * Returns the kind of a file according to its first bytes. Undefined: the format is not supported.
 * An ISO base media file without the brand M4A counts as a video, because only its tracks show
 * whether it is sound.
 */
export function announcedKind(start: Uint8Array): MediaKind | undefined {
  if (imageTypeOf(start) !== undefined) return 'image'
  if (isAudioSignature(start)) return 'audio'
  if (describeFormat(start) === 'a video') return 'video'
  return quickTimeBoxes.has(Buffer.from(start.subarray(4, 8)).toString('latin1')) ? 'video' : undefined
}

export function isVideoType(contentType: unknown): contentType is VideoType {
  return videoTypes.some((type) => type === contentType)
}

export function isAudioType(contentType: unknown): contentType is AudioType {
  return audioTypes.some((type) => type === contentType)
}

/** Returns the media type of a file, from its first bytes. The file must have been probed. */
export function announcedType(start: Uint8Array): MediaType | undefined {
  const image = imageTypeOf(start)
  if (image !== undefined) return image
  const text = Buffer.from(start.subarray(0, 12)).toString('latin1')
  if (text.startsWith('fLaC')) return 'audio/flac'
  if (text.startsWith('OggS')) return 'audio/ogg'
  if (text.startsWith('RIFF')) return text.startsWith('WAVE', 8) ? 'audio/wav' : undefined
  if (isAudioSignature(start)) return 'audio/mpeg'
  if (text.startsWith('\x1a\x45\xdf\xa3')) return 'video/webm'
  if (text.startsWith('ftypM4A', 4)) return 'audio/mp4'
  if (announcedKind(start) !== 'video') return undefined
  return text.startsWith('ftyp', 4) && !text.startsWith('ftypqt', 4) ? 'video/mp4' : 'video/quicktime'
}

export function kindOf(contentType: string): MediaKind {
  return contentType.startsWith('video/') ? 'video' : contentType.startsWith('audio/') ? 'audio' : 'image'
}

function isAudioSignature(start: Uint8Array): boolean {
  const text = Buffer.from(start.subarray(0, 12)).toString('latin1')
  if (text.startsWith('ftypM4A', 4) || text.startsWith('ID3') || text.startsWith('fLaC') || text.startsWith('OggS')) return true
  if (text.startsWith('RIFF')) return text.startsWith('WAVE', 8)
  return isMpegAudioFrame(start)
}

/**
 * Whether these bytes are the header of an MPEG audio frame of layer III: the sync word, and valid
 * rates.
 */
function isMpegAudioFrame([byte1 = 0, byte2 = 0, byte3 = 0]: Uint8Array): boolean {
  const hasSync = byte1 === 0xff && (byte2 & 0xe0) === 0xe0
  const [version, layer] = [(byte2 >> 3) & 3, (byte2 >> 1) & 3]
  const [bitRate, sampleRate] = [byte3 >> 4, (byte3 >> 2) & 3]
  return hasSync && version !== 1 && layer === 1 && bitRate !== 0 && bitRate !== 15 && sampleRate !== 3
}

/** Properties of an input file, from a probe. */
export interface MediaFacts {
  kind: MediaKind
  contentType: string
  sizeBytes: number
  /** Null for sound. */
  width: number | null
  height: number | null
  /** Null for images. */
  seconds: number | null
  /** Null for images and sound. */
  fps: number | null
}
