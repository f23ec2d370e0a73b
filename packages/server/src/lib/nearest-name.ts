import { distance } from 'fastest-levenshtein'

/** From this length on, the start of a name identifies it. */
const startCharactersMin = 4
/** A longer text is not a typing error, and comparing it would take time. */
const writtenCharactersMax = 200

/**
 * The known name that was probably meant. Ignores case, spaces, underscores, dashes and dots.
 * Beyond that, at most `editsMax` letters may differ, and of a short name fewer than half. The
 * beginning of a known name counts as the whole name.
 */
export function nearestName(written: string, known: readonly string[], editsMax: number): string | undefined {
  if (written.length > writtenCharactersMax) return undefined
  const plainWritten = plain(written)
  let best: string | undefined
  let bestEdits = Infinity
  for (const name of known) {
    const plainName = plain(name)
    const isStart = plainWritten.length >= startCharactersMin && plainName.startsWith(plainWritten)
    // Among names with equal differences after normalization, prefers the most similar original.
    const edits = (isStart ? 0 : distance(plainWritten, plainName)) + distance(written, name) / 1_000
    const allowed = Math.min(editsMax, Math.ceil(plainName.length / 2) - 1)
    if (Math.floor(edits) <= allowed && edits < bestEdits) {
      best = name
      bestEdits = edits
    }
  }
  return best
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s_.-]/g, '')
}
