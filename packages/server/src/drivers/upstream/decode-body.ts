import { pipeline, Readable } from 'node:stream'
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
import type { ResponseBody } from '../forwarding.ts'

const decoders = {
  gzip: { decode: promisify(gunzip), createStream: createGunzip },
  br: { decode: promisify(brotliDecompress), createStream: createBrotliDecompress },
  deflate: { decode: promisify(inflate), createStream: createInflate },
}

/**
 * Decompresses the body of a response. Requests accept only uncompressed responses, but some
 * proxies compress every response. Returns the body unchanged if its encoding is unknown, if it is
 * damaged, or if the decompressed body would have more than `bytesMax` bytes.
 */
export async function decodeBody(body: Buffer, encoding: string | undefined, bytesMax: number): Promise<Buffer> {
  const decoder = decoderOf(encoding)
  return decoder === undefined ? body : decoder.decode(body, { maxOutputLength: bytesMax }).catch(() => body)
}

/**
 * Returns a stream that decodes the body of a download. Undefined if the encoding is missing or
 * unknown.
 */
export function decodingStream(encoding: string | undefined): BrotliDecompress | Gunzip | Inflate | undefined {
  return decoderOf(encoding)?.createStream()
}

/**
 * Decompresses the body of a response as it arrives. Returns the body unchanged if its encoding is
 * missing or unknown.
 */
export function decodeStreamedBody(body: ResponseBody, encoding: string | undefined): ResponseBody {
  const decoder = decodingStream(encoding)
  if (decoder === undefined) return body
  // An error on one of the streams destroys all of them.
  const decodedBody = pipeline(Readable.from(chunksOf(body), { objectMode: false }), decoder, () => {})
  const chunks = decodedBody.iterator() as AsyncIterator<Buffer, undefined>
  return {
    next: () => chunks.next(),
    destroy() {
      decoder.destroy()
      body.destroy()
    },
  }
}

async function* chunksOf(body: ResponseBody): AsyncGenerator<Buffer, void> {
  for (;;) {
    const { value, done } = await body.next()
    if (done === true) return
    yield value
  }
}

function decoderOf(encoding = ''): (typeof decoders)[keyof typeof decoders] | undefined {
  const name = encoding.trim().toLowerCase()
  return Object.hasOwn(decoders, name) ? decoders[name as keyof typeof decoders] : undefined
}
