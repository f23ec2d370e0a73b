const formatByType: Record<string, string> = { integer: 'int64', number: 'double' }

/** Keywords that contain values instead of schemas. Their contents do not change. */
const valueKeywords = new Set(['example', 'examples', 'default', 'enum', 'const', 'required'])

/**
 * Adds the `format` of each number to all nested schemas (OpenAPI 3.1.1, section 4.4). Without it,
 * generated clients in Java, C# and Go use 32 bits for integers and single precision for credit
 * amounts.
 */
export function withNumberFormats<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(withNumberFormats) as Part
  if (typeof part !== 'object' || part === null) return part
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(part) as [string, unknown][]) {
    if (valueKeywords.has(key)) copy[key] = value
    else if (key === 'properties') copy[key] = withPropertyFormats(value as object)
    else copy[key] = withNumberFormats(value)
    const format = key === 'type' && !('format' in part) ? formatOf(value) : undefined
    if (format !== undefined) copy['format'] = format
  }
  return copy as Part
}

/**
 * Adds formats to the schemas of properties. Does not compare property names with `valueKeywords`,
 * because a property may have the name of a keyword.
 */
function withPropertyFormats(properties: object): object {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withNumberFormats(schema)]))
}

function formatOf(type: unknown): string | undefined {
  const number = [type].flat().find((numberType) => typeof numberType === 'string' && Object.hasOwn(formatByType, numberType))
  return formatByType[String(number)]
}
