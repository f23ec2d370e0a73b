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
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** An odd number of backslashes stands before it; the text begins with none. */
function isEscaped(text: string, index: number): boolean {
  let first = index
  while (text.charCodeAt(first - 1) === backslashUnit) first -= 1
  return (index - first) % 2 === 1
}
