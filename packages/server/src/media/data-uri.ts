const headerLengthMax = 200
const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/

export function isDataUri(text: string): boolean {
  return text.slice(0, 5).toLowerCase() === 'data:'
}

/**
 * Decodes `data:image/png;base64,…`. Returns the bytes, or a description of the error. The declared
 * type is ignored.
 */
export function bytesOfDataUri(text: string, bytesMax: number): Buffer | { error: string } {
  const header = text.slice(0, headerLengthMax)
  const comma = header.indexOf(',')
  if (comma === -1) return { error: 'the data URI has no comma between its type and its contents' }
  if (!/;\s*base64$/i.test(header.slice(0, comma))) return { error: 'the data URI is not in base64' }
  const encodedLength = text.length - comma - 1
  if ((encodedLength / 4) * 3 > bytesMax + 3) return { error: `the file is larger than the ${bytesMax} bytes allowed` }
  const base64Text = text.slice(comma + 1)
  if (encodedLength % 4 === 1 || !base64Pattern.test(base64Text)) return { error: 'the base64 of the data URI is invalid' }
  const bytes = Buffer.from(base64Text, 'base64')
  return bytes.byteLength > bytesMax ? { error: `the file is larger than the ${bytesMax} bytes allowed` } : bytes
}
