import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { assetNameCharactersMax } from '@framegate/contract'
import { AppError } from '../lib/app-error.ts'

/** The one form that is read here: a part `file`, handed on as it arrives, and perhaps a part `name`. */
export interface UploadForm<File> {
  file: File
  /** The part `name`, or what the file is called where it comes from; null for neither. */
  name: string | null
}

export interface UploadFormOptions<File extends AsyncDisposable> {
  fileBytesMax: number
  /** Takes the stream to its end, or fails. */
  receive: (stream: Readable) => Promise<File>
}

/** For the boundaries and headers of the parts, and the name. */
const besidesBytesMax = 64 * 1024
const limits = { files: 1, fields: 1, parts: 3, fieldSize: 4 * assetNameCharactersMax + 1, headerPairs: 20, headerSize: 8 * 1024 }

/**
 * Reads a `multipart/form-data` body. When it is refused, the rest of it is discarded behind the answer: a client that is still
 * sending would lose the answer with its connection. When the client goes away, nothing of it stays.
 */
export async function readUploadForm<File extends AsyncDisposable>(
  request: IncomingMessage,
  { fileBytesMax, receive }: UploadFormOptions<File>,
): Promise<UploadForm<File>> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  ended.catch(() => {})
  let form: BusboyInstance | undefined
  let stream: Readable | undefined
  let arriving: Promise<File> | undefined
  let name: string | undefined
  let fileName: string | undefined
  try {
    requireReadable(request, fileBytesMax + besidesBytesMax)
    form = openForm(request)
    form.on('file', (_field, part, called) => {
      stream = part.on('error', () => {})
      fileName = called
      arriving = receive(part)
      arriving.catch(reject)
    })
    form.on('field', (field, value, _isFieldCut, isValueCut) => {
      if (field === 'name') name = isValueCut ? '' : value
      else reject(unknownPart(field))
    })
    form.on('filesLimit', () => reject(new AppError('invalid_parameter', 'Send one file with each request.', { param: 'file' })))
    form.on('fieldsLimit', () => reject(wrongForm('has more fields than the name')))
    form.on('partsLimit', () => reject(wrongForm('has more parts than the file and its name')))
    form.on('error', (cause: unknown) => reject(wrongForm('is not well-formed, or ends too early', cause)))
    form.on('finish', resolve)
    request.on('error', reject).once('close', () => {
      if (!request.complete) reject(endedEarly())
    })
    request.pipe(form)
    await ended
    if (arriving === undefined) throw new AppError('invalid_parameter', 'The form has no part named file.', { param: 'file' })
    const called = readName(name) ?? tidyName(fileName ?? '')
    return { file: await arriving, name: called }
  } catch (cause) {
    if (form !== undefined) request.unpipe(form)
    request.resume()
    stream?.destroy(cause instanceof Error ? cause : undefined)
    const file = await arriving?.catch(() => undefined)
    await file?.[Symbol.asyncDispose]()
    throw cause
  }
}

/** What a file is called, from outside, as a name for people; null when nothing is left of it. */
export function tidyName(text: string): string | null {
  const name = text.replaceAll(/\p{C}/gu, '').trim().slice(0, assetNameCharactersMax)
  return name === '' ? null : name
}

function requireReadable({ headers }: IncomingMessage, bytesMax: number): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('unsupported_media_type', 'Send the body without Content-Encoding; compressed bodies are not read.')
  }
  if (Number(headers['content-length']) > bytesMax) {
    const message = `The body is larger than the ${bytesMax} bytes allowed; send a smaller picture.`
    throw new AppError('body_too_large', message, { param: 'file' })
  }
}

function openForm({ headers }: IncomingMessage): BusboyInstance {
  const contentType = headers['content-type'] ?? ''
  try {
    return new Busboy({ headers: { ...headers, 'content-type': contentType }, limits, isPartAFile: (field) => field === 'file' })
  } catch (cause) {
    throw wrongForm('names no boundary in its Content-Type', cause)
  }
}

function readName(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const name = tidyName(given)
  if (name !== null && given.length <= assetNameCharactersMax) return name
  throw new AppError('invalid_parameter', `name must be a text of 1 to ${assetNameCharactersMax} characters.`, { param: 'name' })
}

function unknownPart(field: string): AppError {
  const message = `The form has a part '${field.slice(0, 64)}'; it takes file and name.`
  return new AppError('unknown_parameter', message, { param: field })
}

function wrongForm(what: string, cause?: unknown): AppError {
  return new AppError('invalid_parameter', `The form ${what}; send multipart/form-data with one part named file.`, {
    param: 'file',
    cause,
  })
}

function endedEarly(): AppError {
  return new AppError('invalid_request', 'The request ended before its body was complete.')
}
