/**
 * Returns the value of a header. Node's types allow an array for most headers, but Node returns one
 * only for Set-Cookie.
 */
export function firstValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
