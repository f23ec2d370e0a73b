export type PictureFault = 'unreachable' | 'not_a_picture' | 'too_large' | 'too_narrow' | 'damaged'

/** How most refusals end. */
export const sendAPicture = 'send a JPEG, PNG, WebP, AVIF or GIF picture'

/** A picture that cannot be used. The message is for whoever sent it: where it stands, what is wrong, what would be right. */
export class PictureRefusal extends Error {
  override readonly name = 'PictureRefusal'
  readonly fault: PictureFault
  /** Where the picture stands in the parameters, such as `reference_images/2`. */
  readonly position: string
  /** Another try later may end differently. */
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
