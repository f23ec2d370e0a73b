import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { assetNameCharactersMax } from '@framegate/contract'
import { AppError } from '../../lib/app-error.ts'
import type { PaceWatch } from '../connections/transfer-pace.ts'
import type { FormPart } from './form-parts.ts'
import { readParts } from './read-parts.ts'
import { truncate } from '../../lib/truncate.ts'

/**
 * The form of an asset upload: a part `file`, which is processed as it arrives, and an optional
 * part `name`.
 */
export interface UploadForm<File> {
  file: File
  /** The part `name`, otherwise the file name of the part `file`. Null: the form has neither. */
  name: string | null
}

export interface UploadFormOptions<File extends AsyncDisposable> {
  fileBytesMax: number
  pace: PaceWatch
  /** Stores the file. Reads the stream to its end, or throws. */
  receive: (stream: Readable) => Promise<File>
}

/** Maximum size of everything but the file: boundaries, part headers and the name. */
const overheadBytesMax = 64 * 1024
const nameBytesMax = 4 * assetNameCharactersMax

/**
 * Reads the form of an asset upload. If the form is rejected or the client disconnects, the file is
 * removed.
 */
export async function readUploadForm<File extends AsyncDisposable>(
  request: IncomingMessage,
  { fileBytesMax, pace, receive }: UploadFormOptions<File>,
): Promise<UploadForm<File>> {
  const form: { file?: File; fileName?: string | null; name?: string } = {}
  try {
    await readParts(request, { bytesMax: fileBytesMax + overheadBytesMax, pace, invalidForm }, async (parts) => {
      for await (const part of parts) {
        if (part.name === 'file') {
          if (form.file !== undefined) throw moreThanOneFile()
          form.fileName = part.fileName
          form.file = await receive(Readable.from(part.contents, { objectMode: false }))
        } else if (part.name === 'name') {
          if (form.name !== undefined) throw invalidForm('has more than one part named name')
          form.name = await readName(part)
        } else {
          throw unknownField(part.name)
        }
      }
    })
    if (form.file === undefined) throw new AppError('invalid_parameter', 'The form has no part named file.', { param: 'file' })
    return { file: form.file, name: form.name ?? sanitizeFileName(form.fileName ?? '') }
  } catch (cause) {
    await form.file?.[Symbol.asyncDispose]()
    throw cause
  }
}

/**
 * Removes control, format, private-use and unassigned characters from a file name, trims white
 * space, and truncates the name. Returns null if nothing is left.
 */
export function sanitizeFileName(text: string): string | null {
  const name = truncate(text.replaceAll(/\p{C}/gu, '').trim(), assetNameCharactersMax)
  return name === '' ? null : name
}

async function readName({ contents }: FormPart): Promise<string> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of contents) {
    if (bytes.byteLength + chunk.byteLength > nameBytesMax) throw invalidName()
    bytes = Buffer.concat([bytes, chunk])
  }
  const text = bytes.toString('utf8')
  const name = sanitizeFileName(text)
  if (name === null || text.length > assetNameCharactersMax) throw invalidName()
  return name
}

function invalidName(): AppError {
  return new AppError('invalid_parameter', `name must be a text of 1 to ${assetNameCharactersMax} characters.`, { param: 'name' })
}

function unknownField(field: string): AppError {
  const message = `The form has an unknown part '${truncate(field, 64)}'; it accepts file and name.`
  return new AppError('unknown_parameter', message, { param: field })
}

function moreThanOneFile(): AppError {
  return new AppError('invalid_parameter', 'Send only one file per request.', { param: 'file' })
}

function invalidForm(problem: string, cause?: unknown): AppError {
  return new AppError('invalid_parameter', `The form ${problem}; send multipart/form-data with one part named file.`, {
    param: 'file',
    cause,
  })
}
