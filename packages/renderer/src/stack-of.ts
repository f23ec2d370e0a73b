/**
 * Returns the stack of an error, or its message if it has no stack. Any other thrown value is
 * converted to a string.
 */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}
