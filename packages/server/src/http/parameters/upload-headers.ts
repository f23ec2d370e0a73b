import type { FastifyRequest } from 'fastify'
import { assetNameCharactersMax, uploadMetadataCharactersMax } from '@framegate/contract'
import type { DeclaredFile } from '../../assets/uploads/uploads.ts'
import { AppError } from '../../lib/app-error.ts'
import { sanitizeFileName } from '../bodies/upload-form.ts'

/** The only version of the tus protocol that this service supports. */
export const tusVersion = '1.0.0'

const wholeNumberPattern = /^(0|[1-9]\d{0,15})$/
const sha256Pattern = /^[0-9a-f]{64}$/
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const keyPattern = /^[\x21-\x7e]+$/
const pairsMax = 32

export function requireTusVersion({ headers }: FastifyRequest): void {
  const version = headers['tus-resumable']
  if (version === tusVersion) return
  const problem = version === undefined ? 'is missing' : 'has another version'
  throw new AppError('tus_version_unsupported', `Tus-Resumable ${problem}; send Tus-Resumable: ${tusVersion}.`, {
    param: 'Tus-Resumable',
    headers: { 'tus-version': tusVersion },
  })
}

/** Reads `Upload-Length` and `Upload-Metadata` of a request that creates an upload. */
export function readDeclaredFile(request: FastifyRequest, bytesMax: number): DeclaredFile {
  if (request.headers['upload-defer-length'] !== undefined) {
    const message = 'Upload-Defer-Length is not supported; send the size of the whole file as Upload-Length.'
    throw new AppError('invalid_parameter', message, { param: 'Upload-Defer-Length' })
  }
  const size_bytes = readWholeNumber(request, 'Upload-Length')
  if (size_bytes === 0) throw invalidHeader('Upload-Length', 'must be at least 1; an empty file is not an image, video or sound')
  if (size_bytes > bytesMax) {
    const message = `Upload-Length is larger than the ${bytesMax} bytes allowed; send a smaller file.`
    throw new AppError('body_too_large', message, { param: 'Upload-Length' })
  }
  const text = readHeader(request, 'Upload-Metadata') ?? null
  const metadata = text === null ? new Map<string, string>() : readMetadata(text)
  const sha256 = metadata.get('sha256')?.toLowerCase() ?? null
  if (sha256 !== null && !sha256Pattern.test(sha256)) throw invalidMetadata('sha256 must be 64 hexadecimal digits')
  const fileName = metadata.get('name') ?? metadata.get('filename') ?? ''
  if (fileName.length > assetNameCharactersMax)
    throw invalidMetadata(`the name must have at most ${assetNameCharactersMax} characters`)
  return { size_bytes, metadata: text, name: sanitizeFileName(fileName), sha256 }
}

export function readOffset(request: FastifyRequest): number {
  return readWholeNumber(request, 'Upload-Offset')
}

/**
 * Reads comma-separated pairs of a key and a base64 value. The service ignores unknown keys, but
 * stores them as part of the header.
 */
function readMetadata(text: string): Map<string, string> {
  if (text.length > uploadMetadataCharactersMax)
    throw invalidMetadata(`it must have at most ${uploadMetadataCharactersMax} characters`)
  const metadata = new Map<string, string>()
  const pairs = text.split(',')
  if (pairs.length > pairsMax) throw invalidMetadata(`it must have at most ${pairsMax} keys`)
  for (const pair of pairs) {
    const [key = '', value = '', ...surplus] = pair.trim().split(' ')
    if (!keyPattern.test(key) || surplus.length > 0 || !base64Pattern.test(value)) {
      throw invalidMetadata('it must be keys, each followed by a space and its value in base64, separated by commas')
    }
    if (metadata.has(key)) throw invalidMetadata('it has a key twice')
    metadata.set(key, Buffer.from(value, 'base64').toString('utf8'))
  }
  return metadata
}

function readWholeNumber(request: FastifyRequest, name: string): number {
  const text = readHeader(request, name)
  if (text === undefined) throw invalidHeader(name, 'is missing; send a number of bytes')
  if (!wholeNumberPattern.test(text)) throw invalidHeader(name, 'must be a whole number of bytes, 0 or more')
  return Number(text)
}

function readHeader({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

function invalidHeader(name: string, problem: string): AppError {
  return new AppError('invalid_parameter', `${name} ${problem}.`, { param: name })
}

function invalidMetadata(problem: string): AppError {
  return new AppError('invalid_parameter', `Upload-Metadata: ${problem}.`, { param: 'Upload-Metadata' })
}
