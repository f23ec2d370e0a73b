/** A source that cannot be imported. The message is one sentence for the operator. */
export class ImportRefusal extends Error {
  override readonly name = 'ImportRefusal'
}
