import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

const decoders = new Map(
  Object.entries({ gzip: promisify(gunzip), br: promisify(brotliDecompress), deflate: promisify(inflate) }),
)

/**
 * Decompresses the body of a response. Requests accept only uncompressed responses, but some proxies
 * compress every response. Returns the body unchanged if its encoding is unknown, if it is damaged,
 * or if it would have more than `bytesMax` bytes.
 */
export async function decodeBody(body: Buffer, encoding: string | undefined, bytesMax: number): Promise<Buffer> {
  const decode = decoders.get(encoding?.trim().toLowerCase() ?? '')
  return decode === undefined ? body : decode(body, { maxOutputLength: bytesMax }).catch(() => body)
}
