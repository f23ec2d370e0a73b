/** The stack of an error, for the operator; the text of anything else that was thrown. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}
