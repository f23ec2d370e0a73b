/**
 * The engine of `RegExp` backtracks: a pattern such as `^(a+)+$` takes seconds for 28 characters.
 * Therefore a definition may only have patterns that match in linear time. Such a pattern starts
 * with `^`, ends with `$`, and is a sequence of parts between them. A part is a character, a dot,
 * an escape or a class, with at most one quantifier. A part with a variable number of repetitions
 * must not match a character that may come directly after it.
 */
const patternCharactersMax = 200
const partPattern =
  /(\[\^?(?:\\[dDwWsS\\\]^.-]|[^\\[\]\n])+\]|\\[dDwWsS.*+?^$()[\]{}|/\\-]|[^\\^$.*+?()[\]{}|\n]|\.)([*+?]|\{\d{1,4}(?:,\d{0,4})?\})?/uy

interface Part {
  matchedSamples: ReadonlySet<string>
  isVariablyRepeated: boolean
  isOptional: boolean
}

/**
 * Sample characters for the comparison of two parts: all ASCII characters, and three characters
 * that represent all others.
 */
const samples = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), '\u00a0', 'é', '漢']

/** Whether a pattern takes linear time for every text. */
export function isLinearPattern(pattern: string): boolean {
  if (pattern.length > patternCharactersMax || !pattern.startsWith('^') || !pattern.endsWith('$')) return false
  const parts = partsOf(pattern.slice(1, -1))
  if (parts === undefined) return false
  return parts.every(
    (part, index) =>
      !(part.isVariablyRepeated || part.isOptional) || !possibleSuccessors(parts, index).some((next) => overlaps(part, next)),
  )
}

function partsOf(text: string): Part[] | undefined {
  const parts: Part[] = []
  partPattern.lastIndex = 0
  for (let position = 0; position < text.length; position = partPattern.lastIndex) {
    partPattern.lastIndex = position
    const [, atom, quantifier = ''] = partPattern.exec(text) ?? []
    if (atom === undefined) return undefined
    let atomPattern: RegExp
    try {
      atomPattern = new RegExp(`^${atom}$`, 'u')
    } catch {
      return undefined
    }
    // Only three samples are outside ASCII, so they cannot show whether a non-ASCII literal
    // overlaps with another part.
    if (/[^\x20-\x7e]/.test(atom)) return undefined
    const [min = 1, max = min] = boundsOf(quantifier)
    parts.push({
      matchedSamples: new Set(samples.filter((sample) => atomPattern.test(sample))),
      isVariablyRepeated: max > 1 && max !== min,
      isOptional: min === 0,
    })
  }
  return parts
}

function boundsOf(quantifier: string): [number?, number?] {
  if (quantifier === '') return [1, 1]
  if (quantifier === '?') return [0, 1]
  if (quantifier === '*') return [0, Infinity]
  if (quantifier === '+') return [1, Infinity]
  const [min = '', max] = quantifier.slice(1, -1).split(',')
  return [Number(min), max === undefined ? Number(min) : max === '' ? Infinity : Number(max)]
}

/** Returns the parts that may match directly after the part at `index`. */
function possibleSuccessors(parts: readonly Part[], index: number): Part[] {
  const followingParts: Part[] = []
  for (const next of parts.slice(index + 1)) {
    followingParts.push(next)
    if (!next.isOptional) break
  }
  return followingParts
}

function overlaps({ matchedSamples }: Part, other: Part): boolean {
  return [...matchedSamples].some((character) => other.matchedSamples.has(character))
}
