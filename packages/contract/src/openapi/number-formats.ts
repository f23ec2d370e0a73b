const formats: Record<string, string> = { integer: 'int64', number: 'double' }

/** Keywords whose content is values, not schemas. Numbers in them stay unchanged. */
const values = new Set(['example', 'examples', 'default', 'enum', 'const', 'required'])

/**
 * Adds the format of each number to all nested schemas (OpenAPI 3.1.1, section 4.4). Without it,
 * generators for Java, C# and Go read integers into 32 bits and credit amounts into single
 * precision.
 */
export function withNumberFormats<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(withNumberFormats) as Part
  if (typeof part !== 'object' || part === null) return part
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(part) as [string, unknown][]) {
    if (values.has(key)) copy[key] = value
    else if (key === 'properties') copy[key] = ofEach(value as object)
    else copy[key] = withNumberFormats(value)
    const format = key === 'type' && !('format' in part) ? formatOf(value) : undefined
    if (format !== undefined) copy['format'] = format
  }
  return copy as Part
}

/** Properties may have any name, including those in `values`. */
function ofEach(properties: object): object {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withNumberFormats(schema)]))
}

function formatOf(type: unknown): string | undefined {
  const number = [type].flat().find((one) => typeof one === 'string' && Object.hasOwn(formats, one))
  return formats[String(number)]
}
