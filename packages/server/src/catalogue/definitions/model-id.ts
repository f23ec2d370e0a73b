import { idCharactersMax } from './definition-limits.ts'

/**
 * Visible characters: letters, digits, marks, punctuation, symbols and the plain space. Control
 * characters, line breaks, other spaces and invisible characters could make two IDs look alike.
 */
const printablePattern = /^[\p{L}\p{N}\p{M}\p{P}\p{S} ]+$/u
const latinPattern = /\p{Script=Latin}/u
const lookalikeScripts =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Deseret}]/u

/**
 * Returns the violation of an ID, as the end of a sentence that begins with the field's name.
 * Returns null if the ID is valid.
 */
export function findIdViolation(id: string): string | null {
  if (id === '') return 'must not be empty; it is the ID that clients send'
  const length = Array.from(id.slice(0, 2 * idCharactersMax + 2)).length
  if (length > idCharactersMax) return `must have at most ${idCharactersMax} characters`
  if (!printablePattern.test(id))
    return 'must consist of printable characters and plain spaces, without control or invisible characters'
  if (id !== id.trim()) return 'must not begin or end with a space'
  if (id === '*' || id === '.' || id === '..') return `must not be ${id}, which has another meaning in routes and addresses`
  if (id !== id.normalize('NFKC')) return `must be in Unicode normalization form NFKC: ${JSON.stringify(id.normalize('NFKC'))}`
  if (latinPattern.test(id) && lookalikeScripts.test(id)) {
    return 'must not mix Latin letters with letters of another alphabet that look like them'
  }
  return null
}

/** Most IDs are in ASCII and need none of the steps for other alphabets. */
const asciiPattern = /^[!-~]*$/

/** Non-ASCII punctuation, each with the ASCII character that it resembles. */
const punctuationReplacements: readonly (readonly [RegExp, string])[] = [
  [/[\p{Pd}\u2212\u02d7]/gu, '-'],
  [/\p{Pc}/gu, '_'],
  [/[\p{Pi}\p{Pf}\u02b9-\u02bf\u02c8\u2032]/gu, "'"],
  [/[\u2044\u2215\u29f8]/gu, '/'],
  [/[\u2236\ua789\u02d0]/gu, ':'],
  [/\u201a/gu, ','],
  [/\u01c3/gu, '!'],
]

/** Non-ASCII lower-case letters, each with the ASCII letter that it resembles. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries([
  // Cyrillic
  ...zip('авеѕіјкӏмнорсԛтухһԝԁգ', 'abesijklmhopcqtyxhwdq'),
  // Greek
  ...zip('αβγεηικνορτυχωϲ', 'abyenikvoptuxwc'),
  // Latin: dotless, of the phonetic alphabet, and small capitals
  ...zip('ıɩɑɡᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'iiagabcdeghijklmnoprstuvwyz'),
  // Armenian
  ...zip('օոսց', 'onug'),
])

/**
 * Returns a string that is equal for all IDs that a person could confuse. Such IDs differ only in
 * case, width, spaces, the encoding of accents, or characters that look alike.
 */
export function skeletonOf(id: string): string {
  if (asciiPattern.test(id)) return id.toLowerCase()
  let foldedId = id.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()
  for (const [pattern, plain] of punctuationReplacements) foldedId = foldedId.replace(pattern, plain)
  return Array.from(foldedId, (character) => lookalikes[character] ?? character).join('')
}

function zip(letters: string, plainLetters: string): [string, string][] {
  const plain = Array.from(plainLetters)
  return Array.from(letters, (character, index) => [character, plain[index] ?? character])
}
