/**
 * An image, video or audio file that the account has uploaded. Parameters that take such a file
 * accept `asset:ID`.
 */
export interface Asset {
  id: string
  object: 'asset'
  /** Time of the first upload, Unix seconds. */
  created: number
  name: string | null
  /** Media type, detected from the contents of the file. */
  content_type:
    | 'image/jpeg'
    | 'image/png'
    | 'image/webp'
    | 'image/avif'
    | 'image/gif'
    | 'video/mp4'
    | 'video/quicktime'
    | 'video/webm'
    | 'audio/mpeg'
    | 'audio/wav'
    | 'audio/mp4'
    | 'audio/flac'
    | 'audio/ogg'
  size_bytes: number
  sha256: string
  /** Display width in pixels; null for audio. */
  width: number | null
  height: number | null
  /** Length of a video or audio file in seconds; null for images. */
  seconds: number | null
  /** Average frame rate of a video; null for images and audio. */
  fps: number | null
  /** True for audio files, and for videos with an audio track. */
  has_audio: boolean
  /** Signed, expiring URL of the file. Every response has a new URL. */
  url: string
  /** Expiry of `url`, Unix seconds. */
  expires_at: number
}
