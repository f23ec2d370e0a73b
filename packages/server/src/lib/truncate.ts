/**
 * Returns at most the first `unitsMax` UTF-16 units of a text. Never ends with half of a surrogate
 * pair, which strict JSON parsers and databases reject.
 */
export function truncate(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text
  const isPairSplit = (text.charCodeAt(unitsMax - 1) & 0xfc_00) === 0xd8_00
  return text.slice(0, isPairSplit ? unitsMax - 1 : unitsMax)
}
