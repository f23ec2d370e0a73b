/** An invalid change of a brand. The message is a sentence that names the valid values. */
export class WrongBrand extends Error {
  override readonly name = 'WrongBrand'
}
