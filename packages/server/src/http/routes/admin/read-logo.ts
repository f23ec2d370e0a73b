import { hash } from 'node:crypto'
import { logoBytesMax } from '@framegate/contract'
import { logoSideMax, type NewLogo } from '../../../brands/logo.ts'
import { AppError } from '../../../lib/app-error.ts'
import { bytesOfDataUri, isDataUri } from '../../../media/data-uri.ts'
import type { DecodeImageFile } from '../../../media/decode-image-file.ts'
import { InvalidImage, sendAnImage } from '../../../media/invalid-image.ts'

const decodeMsMax = 30_000

/**
 * Decodes a logo that an operator sent as a data URI. Throws an `AppError` for the field `logo`.
 */
export async function readLogo(dataUri: string, decode: DecodeImageFile): Promise<NewLogo> {
  if (!isDataUri(dataUri)) throw invalidLogo(`logo must be a data URI; ${sendAnImage} as data:image/png;base64,…`)
  const file = bytesOfDataUri(dataUri, logoBytesMax)
  if (!Buffer.isBuffer(file)) throw invalidLogo(`logo: ${file.error}; ${sendAnImage} of at most ${logoBytesMax / 1024} KiB`)
  try {
    const size = { fit: 'inside', width: logoSideMax, height: logoSideMax } as const
    const { width, height, rgba } = await decode(file, { ...size, position: 'logo', signal: AbortSignal.timeout(decodeMsMax) })
    return { width, height, rgba, sha256: hash('sha256', file) }
  } catch (error) {
    throw error instanceof InvalidImage ? invalidLogo(error.message) : error
  }
}

function invalidLogo(message: string): AppError {
  return new AppError('invalid_parameter', message, {
    param: 'logo',
    errors: [{ pointer: '/logo', code: 'invalid_parameter', message }],
  })
}
