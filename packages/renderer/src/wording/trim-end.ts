/**
 * Removes white space and the given characters from the end of a text. A regular expression for
 * this would take time that grows with the square of the text's length.
 */
export function trimEnd(text: string, characters: string): string {
  let length = text.length
  while (length > 0 && isTrimmed(text.charAt(length - 1), characters)) length -= 1
  return text.slice(0, length)
}

function isTrimmed(character: string, characters: string): boolean {
  return characters.includes(character) || character.trim() === ''
}
