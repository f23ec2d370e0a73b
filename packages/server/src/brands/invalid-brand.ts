/** Error for an invalid change of a brand. The message is a complete sentence for the operator. */
export class InvalidBrand extends Error {
  override readonly name = 'InvalidBrand'
}
