/** A source that cannot be imported. The message is one sentence for the operator. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/**
 * The provider does not have the source: the response was 404 or 410, or its list of models does
 * not contain it. If the model was imported earlier, the provider has removed it since.
 */
export class SourceNotFound extends ImportError {}
