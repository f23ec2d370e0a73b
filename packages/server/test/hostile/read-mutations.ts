import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { LogFn } from 'pino'
import { DecoderPool } from '../../src/media/decoder/decoder-pool.ts'
import { InvalidImage } from '../../src/media/invalid-image.ts'
import { createReadImage } from '../../src/media/read-image.ts'
import { imageRows } from './make-images.ts'
import { mutate } from './mutate.ts'
import { createRandom } from './image-row.ts'

export interface Mutation {
  /** `read`, the error code, or `crashed` or `too_slow` if the file ended its decoder. */
  outcome: string
  bytes: Buffer
  /** The original file and the seed, from which the mutated file can be recreated. */
  origin: string
  tookMs: number
}

/** Maximum size of original files. Mutations of larger files take longer and find nothing new. */
const originBytesMax = 60_000

export interface MutationOptions {
  count: number
  /** Seed of the mutations. The same seed gives the same files. */
  seed: number
  /** Prefix of the names of original files, such as `AVIF`. */
  only?: string
  /** Receives the warnings of the decoder pool. */
  onWarning?: (details: object, message: string) => void
}

/**
 * Reads mutated files. Throws if the outcome of one is neither pixels nor a refusal with the
 * position.
 */
export async function* readMutations({
  count,
  seed,
  only = '',
  onWarning = () => {},
}: MutationOptions): AsyncGenerator<Mutation> {
  const origins = (await smallFiles()).filter(({ name }) => name.startsWith(only))
  let servedBytes: Buffer = Buffer.alloc(0)
  await using pool = new DecoderPool({ log: { warn: onWarning as LogFn } })
  let decodeOutcome = ''
  const readImage = createReadImage({
    decoders: {
      async decode(...image) {
        const end = await pool.decode(...image)
        ;({ outcome: decodeOutcome } = end)
        return end
      },
    },
    fetchUntrusted: async (url) => ({ stream: Readable.from([servedBytes]), contentType: null, finalUrl: url, status: 200 }),
  })
  const { signal } = new AbortController()

  for (let index = 0; index < count; index++) {
    const random = createRandom((seed + index + 1) * 2_654_435_761)
    const { name, bytes } = origins[index % origins.length] ?? { name: '', bytes: Buffer.alloc(0) }
    const mutated = mutate(bytes, random)
    // Half of the PNG files get correct checksums, so that they reach the code after the first
    // check.
    servedBytes = random() < 0.5 ? withCorrectChecksums(mutated) : mutated
    const origin = `${name}, seed ${seed}, number ${index}`
    decodeOutcome = ''
    const startedAt = performance.now()
    const fit = index % 2 === 0 ? 'inside' : 'cover'
    const outcome = await readImage('https://images.example/', {
      fit,
      width: 320,
      height: 180,
      signal,
      position: 'first_frame',
    })
      .then(({ width, height, rgba }) => {
        if (rgba.byteLength !== width * height * 4) throw new Error(`${rgba.byteLength} bytes for ${width} x ${height}`)
        return 'read'
      })
      .catch((error: unknown) => {
        const isRefusal = error instanceof InvalidImage && error.message.startsWith('first_frame: ')
        if (isRefusal) return decodeOutcome === 'crashed' || decodeOutcome === 'too_slow' ? decodeOutcome : error.code
        throw new Error(`${origin} ended with an unexpected error`, { cause: error })
      })
    yield { outcome, bytes: servedBytes, origin, tookMs: performance.now() - startedAt }
  }
}

async function smallFiles(): Promise<{ name: string; bytes: Buffer }[]> {
  const files: { name: string; bytes: Buffer }[] = []
  for (const { name, make, expected } of imageRows) {
    // Mutations of an invalid file would mostly fail for the same reason.
    if ('code' in expected || /megabytes|megapixels|[mb]illion|500 |5000|100000/.test(name)) continue
    const bytes = Buffer.from(await make())
    if (bytes.byteLength <= originBytesMax) files.push({ name, bytes })
  }
  return files
}

function withCorrectChecksums(png: Buffer): Buffer {
  if (png.toString('latin1', 1, 4) !== 'PNG') return png
  const corrected = Buffer.from(png)
  for (let offset = 8; offset + 12 <= corrected.byteLength;) {
    const end = offset + 8 + corrected.readUInt32BE(offset)
    if (end + 4 > corrected.byteLength) break
    corrected.writeUInt32BE(crc32(corrected.subarray(offset + 4, end)), end)
    offset = end + 4
  }
  return corrected
}
