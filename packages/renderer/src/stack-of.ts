/**
 * Returns the stack of an error, for the operator. Returns the text of any other value that was
 * thrown.
 */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}
