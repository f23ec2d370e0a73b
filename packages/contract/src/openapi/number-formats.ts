const formats: Record<string, string> = { integer: 'int64', number: 'double' }

/** Values, not schemas: a number there stays what it is. */
const values = new Set(['example', 'examples', 'default', 'enum', 'const', 'required'])

/**
 * Gives each number of the schemas inside its format (OpenAPI 3.1.1, section 4.4): generators for Java, C# and Go otherwise read
 * integers into 32 bits and amounts of credits into single precision.
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

/** Properties may have any name, those of `values` too. */
function ofEach(properties: object): object {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withNumberFormats(schema)]))
}

function formatOf(type: unknown): string | undefined {
  const number = [type].flat().find((one) => typeof one === 'string' && Object.hasOwn(formats, one))
  return formats[String(number)]
}
