export function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}
