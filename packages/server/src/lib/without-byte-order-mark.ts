/** Some programs write a byte order mark before a text, which `JSON.parse` rejects. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
