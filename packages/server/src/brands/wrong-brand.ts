/** What an operator cannot have: the message is a sentence that says what would be right. */
export class WrongBrand extends Error {
  override readonly name = 'WrongBrand'
}
