const quoteByte = 0x22
const backslashByte = 0x5c
const shortStringBytes = 64

export interface JsonLimits {
  /** Maximum nesting depth of arrays and objects. */
  depthMax: number
  /**
   * Maximum number of values and field names in total. An empty array or object counts as two.
   */
  itemsMax: number
  /** Maximum number of bytes outside strings: punctuation, numbers, white space. */
  bytesOutsideStringsMax: number
}

export type JsonExcess = 'depth' | 'items' | 'bytes outside strings'

/**
 * Returns the first limit that a JSON text exceeds. Null: it exceeds none. Runs in one pass before
 * parsing, because the parser has no limits and would take a second for sixteen megabytes of empty
 * arrays. Does not check whether the text is valid JSON; the parser does.
 */
export function findJsonExcess(text: Buffer, { depthMax, itemsMax, bytesOutsideStringsMax }: JsonLimits): JsonExcess | null {
  let depth = 0
  let separatorCount = 0
  let bytesOutsideStrings = 0
  for (let i = 0; i < text.length; i++) {
    switch (text[i] ?? 0) {
      case quoteByte:
        i = endOfString(text, i + 1)
        if (i === -1) return null
        break
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        if (depth > depthMax) return 'depth'
        separatorCount += 1
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        break
      case 0x2c: // ,
      case 0x3a: // :
        separatorCount += 1
        break
    }
    // Each name and each value follows a bracket, comma or colon, except the outermost value.
    if (separatorCount >= itemsMax) return 'items'
    bytesOutsideStrings += 1
    if (bytesOutsideStrings > bytesOutsideStringsMax) return 'bytes outside strings'
  }
  return null
}

/**
 * Returns the position of the closing quote of a string whose contents begin at `start`, or -1 if
 * there is none.
 */
function endOfString(text: Buffer, start: number): number {
  // The first bytes are compared one by one, because `indexOf` is slower for short strings, and
  // most strings are short.
  const searchFrom = Math.min(text.length, start + shortStringBytes)
  for (let i = start; i < searchFrom; i++) {
    if (text[i] === quoteByte) return i
    if (text[i] === backslashByte) return endOfEscapedString(text, i)
  }
  const end = text.indexOf(quoteByte, searchFrom)
  if (end === -1) return -1
  const backslash = text.indexOf(backslashByte, searchFrom)
  return backslash === -1 || backslash > end ? end : endOfEscapedString(text, backslash)
}

/**
 * Like `endOfString`, for a string with an escape at `backslash`. Compares byte by byte, because in
 * a string with many escapes, `indexOf` would have to be called for each escape.
 */
function endOfEscapedString(text: Buffer, backslash: number): number {
  for (let i = backslash; i < text.length; i++) {
    if (text[i] === backslashByte) i += 1
    else if (text[i] === quoteByte) return i
  }
  return -1
}
