/** An invalid change of a brand. The message is a whole sentence for the operator. */
export class InvalidBrand extends Error {
  override readonly name = 'InvalidBrand'
}
