/** An invalid change of a brand. The message is a sentence that says what would be valid. */
export class WrongBrand extends Error {
  override readonly name = 'WrongBrand'
}
