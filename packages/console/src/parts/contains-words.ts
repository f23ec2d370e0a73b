/** Whether a text contains each of the words, in any order and case. */
export function containsWords(text: string, words: string): boolean {
  const lowerCaseText = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lowerCaseText.includes(word))
}
