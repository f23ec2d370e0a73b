import { readFile, stat } from 'node:fs/promises'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'

// Encoded in base64, a file of this size reaches the maximum total length of a request's data URIs.
const referenceBytesMax = 9 * 1024 * 1024
const addressPattern = /^(https?:\/\/|data:|asset:)/i

/**
 * Returns the value of an image parameter: a URL or an asset unchanged, a local file as a data URI.
 */
export async function readReference(addressOrPath: string): Promise<string> {
  if (addressPattern.test(addressOrPath)) return addressOrPath
  const bytes = await readImage(addressOrPath)
  const type = imageTypeOf(bytes)
  if (type === null) throw new CommandFailure(exitCodes.usage, `${addressOrPath} is not a PNG, JPEG, WebP, AVIF or GIF image.`)
  return `data:image/${type};base64,${bytes.toString('base64')}`
}

async function readImage(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size <= referenceBytesMax) return await readFile(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const reason = code === 'ENOENT' ? 'there is no such file' : code
    throw new CommandFailure(exitCodes.usage, `${path} cannot be read: ${reason}.`, { cause: error })
  }
  throw new CommandFailure(
    exitCodes.usage,
    `${path} is larger than ${referenceBytesMax} bytes. Upload it with framegate assets upload, or give its URL or a ` +
      'smaller image.',
  )
}

function imageTypeOf(bytes: Buffer): 'png' | 'jpeg' | 'webp' | 'avif' | 'gif' | null {
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (start.startsWith('GIF8')) return 'gif'
  if (start.endsWith('ftypavif')) return 'avif'
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'webp' : null
}
