export type ImageErrorCode = 'unreachable' | 'not_an_image' | 'too_large' | 'too_narrow' | 'damaged' | 'no_decoder'

/** Last part of most messages. */
export const sendAnImage = 'send a JPEG, PNG, WebP, AVIF or GIF image'

/**
 * Error for an image, a video or an audio file that cannot be used. The message is for the client:
 * the position, the problem and the remedy.
 */
export class InvalidImage extends Error {
  override readonly name = 'InvalidImage'
  readonly code: ImageErrorCode
  /** Position of the file in the parameters, such as `reference_images/2`. */
  readonly position: string
  /** Whether a later attempt may succeed. */
  readonly isTransient: boolean

  constructor(
    code: ImageErrorCode,
    position: string,
    sentence: string,
    { isTransient = false, ...options }: ErrorOptions & { isTransient?: boolean } = {},
  ) {
    super(`${position}: ${sentence}`, options)
    this.code = code
    this.position = position
    this.isTransient = isTransient
  }
}
