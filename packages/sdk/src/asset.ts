/**
 * An image, video or sound that the account keeps. Every parameter of its kind accepts it as
 * `asset:ID`.
 */
export interface Asset {
  id: string
  object: 'asset'
  /** Unix seconds. */
  created: number
  name: string | null
  /** Detected from the content. */
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
  /** In pixels, as displayed; null for sound. */
  width: number | null
  height: number | null
  /** Length of a video or sound; null for images. */
  seconds: number | null
  /** Average frame rate of a video; null for images and sound. */
  fps: number | null
  /** True for sound, and for a video with a sound track. */
  has_audio: boolean
  /** Signed, expiring URL of the file. Every response has a new one. */
  url: string
  /** When `url` stops working, Unix seconds. */
  expires_at: number
}
