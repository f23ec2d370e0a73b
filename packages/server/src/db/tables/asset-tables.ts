import type { Generated } from 'kysely'

/** An image, a video or a sound file that an account stores as input for its tasks. */
export interface AssetRow {
  no: Generated<number>
  id: string
  account_no: number
  name: string | null
  content_type: string
  size_bytes: number
  /** SHA-256 of the file, lower-case hexadecimal. */
  sha256: string
  /** Width in pixels of the image or video as displayed. 0 for sound. */
  width: number
  height: number
  /** Duration of a video or of sound. Null for an image. */
  duration_ms: Generated<number | null>
  /** Null for an image and for sound. */
  frames_per_second: Generated<number | null>
  /** Codecs of the video track and of the audio track, such as `avc,aac`. Null for an image. */
  codecs: Generated<string | null>
  /** 0 or 1. */
  has_audio: Generated<number>
  created_at: number
  /** Time at which the upload of the file was complete. Null before that. */
  stored_at: number | null
  /**
   * Time of the deletion. From this time on no client sees the asset. The file stays for tasks that
   * were accepted before.
   */
  deleted_at: number | null
  /** Time at which the file was removed. */
  removed_at: number | null
}

/** An upload of an asset that arrives in several requests. */
export interface UploadRow {
  no: Generated<number>
  id: string
  account_no: number
  size_bytes: number
  /** The `Upload-Metadata` header field as the client sent it. */
  metadata: string | null
  name: string | null
  /** SHA-256 that the client announced for the whole file, lower-case hexadecimal. */
  sha256: string | null
  received_bytes: Generated<number>
  /** The stored pieces in their order. Each is written as `number:bytes`, followed by a space. */
  pieces: Generated<string>
  /** The highest number that was given to a piece, even if that piece was not stored. */
  last_piece: Generated<number>
  created_at: number
  expires_at: number
  ended_at: Generated<number | null>
  /**
   * The asset that was created from the file. The row of the asset may have been removed already.
   */
  asset_id: Generated<string | null>
  /** JSON of the error with which the service refused the file. */
  error: Generated<string | null>
  /** Time at which the pieces were removed. */
  removed_at: Generated<number | null>
}
