import { promisify } from 'node:util'
import {
  brotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzip,
  inflate,
  type BrotliDecompress,
  type Gunzip,
  type Inflate,
} from 'node:zlib'

const decoders = {
  gzip: { decode: promisify(gunzip), createStream: createGunzip },
  br: { decode: promisify(brotliDecompress), createStream: createBrotliDecompress },
  deflate: { decode: promisify(inflate), createStream: createInflate },
}

/**
 * Decompresses the body of a response. Requests accept only uncompressed responses, but some proxies
 * compress every response. Returns the body unchanged if its encoding is unknown, if it is damaged,
 * or if it would have more than `bytesMax` bytes.
 */
export async function decodeBody(body: Buffer, encoding: string | undefined, bytesMax: number): Promise<Buffer> {
  const decoder = decoderOf(encoding)
  return decoder === undefined ? body : decoder.decode(body, { maxOutputLength: bytesMax }).catch(() => body)
}

/**
 * Returns a stream that decodes the body of a download. Undefined if it has no encoding, or an
 * unknown one.
 */
export function decodingStream(encoding: string | undefined): BrotliDecompress | Gunzip | Inflate | undefined {
  return decoderOf(encoding)?.createStream()
}

function decoderOf(encoding = ''): (typeof decoders)[keyof typeof decoders] | undefined {
  const name = encoding.trim().toLowerCase()
  return Object.hasOwn(decoders, name) ? decoders[name as keyof typeof decoders] : undefined
}
