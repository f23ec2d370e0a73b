export type PictureFault = 'unreachable' | 'not_a_picture' | 'too_large' | 'too_narrow' | 'damaged'

/** The usual end of a refusal. */
export const sendAPicture = 'send a JPEG, PNG, WebP, AVIF or GIF image'

/**
 * An image that cannot be used. The message is for the client that sent it: the position, the
 * problem and the remedy.
 */
export class PictureRefusal extends Error {
  override readonly name = 'PictureRefusal'
  readonly fault: PictureFault
  /** Position of the image in the parameters, such as `reference_images/2`. */
  readonly position: string
  /** Another try later may succeed. */
  readonly isPassing: boolean

  constructor(
    fault: PictureFault,
    position: string,
    sentence: string,
    { isPassing = false, ...options }: ErrorOptions & { isPassing?: boolean } = {},
  ) {
    super(`${position}: ${sentence}`, options)
    this.fault = fault
    this.position = position
    this.isPassing = isPassing
  }
}
