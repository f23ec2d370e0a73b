/** Returns the message of a thrown value, for a log or an operator. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
