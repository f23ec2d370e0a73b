/** What was thrown, as a sentence for a log or an operator. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
