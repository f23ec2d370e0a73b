const quoteUnit = 0x22
const backslashUnit = 0x5c

/**
 * True when arrays and objects nest deeper than `depthMax`. One pass over the text before it is parsed. Text that is not
 * JSON is left to the parser to refuse.
 */
export function isDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case quoteUnit:
        i = endOfString(text, i)
        if (i === -1) return false
        break
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        if (depth > depthMax) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        break
    }
  }
  return false
}

/** The closing quote of the string that opens at `start`; -1 when there is none. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === quoteUnit) return i
    if (unit === backslashUnit) i += 1
  }
  return -1
}
