/** Splits the value of an option at commas. */
export function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}
