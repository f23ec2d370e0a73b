import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { AppError } from '../../lib/app-error.ts'
import type { PaceWatch } from '../connections/transfer-pace.ts'
import { brokenTextError, isBrokenText } from './broken-text.ts'
import { FormFields } from './form-fields.ts'
import type { FormPart } from './form-parts.ts'
import { readParts } from './read-parts.ts'
import { truncate } from '../../lib/truncate.ts'

/** A completely received file of a form. */
export interface FormFile<File> {
  /** Name of the file's field. */
  field: string
  file: File
  /** The name that the client sent; null if it sent none. */
  fileName: string | null
}

export interface Form<File> {
  fields: FormFields
  files: FormFile<File>[]
}

export interface FormOptions<File extends AsyncDisposable> {
  bytesMax: number
  pace: PaceWatch
  /** Stores a file. Reads the stream to its end, or throws. */
  receive: (stream: Readable) => Promise<File>
}

const partsMax = 128
const filesMax = 16
/** Maximum total size of the text fields of a form. Larger images must be sent in file parts. */
const textBytesMax = 1024 * 1024

/**
 * Reads a `multipart/form-data` body. A part with a file name is a file; all other parts are text
 * fields. The name of a field may be a path into an object or a list, such as `metadata[a]` or
 * `images[]`. The caller must dispose of the files. If the form is rejected or the client
 * disconnects, the received files are removed.
 */
export async function readForm<File extends AsyncDisposable>(
  request: IncomingMessage,
  { bytesMax, pace, receive }: FormOptions<File>,
): Promise<Form<File>> {
  const fields = new FormFields()
  const files: FormFile<File>[] = []
  try {
    await readParts(request, { bytesMax, pace, invalidForm }, async (formParts) => {
      let [parts, textBytes] = [0, 0]
      for await (const part of formParts) {
        if (++parts > partsMax) throw invalidForm(`has more than ${partsMax} parts`)
        if (isBrokenText(part.name)) throw brokenTextError({ path: [], isName: true })
        if (part.fileName === null) {
          const text = await readText(part, textBytesMax - textBytes)
          textBytes += Buffer.byteLength(text)
          fields.add(part.name, text)
        } else {
          if (files.length === filesMax) throw invalidForm(`has more than ${filesMax} files`)
          const file = await receive(Readable.from(part.contents, { objectMode: false }))
          files.push({ field: part.name, file, fileName: part.fileName })
        }
      }
    })
    return { fields, files }
  } catch (cause) {
    await Promise.all(files.map(({ file }) => file[Symbol.asyncDispose]()))
    throw cause
  }
}

async function readText({ name, contents }: FormPart, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of contents) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > bytesMax)
      throw new AppError('body_too_large', 'The text fields of the form are too large; send large images as files.')
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString('utf8')
  if (isBrokenText(text)) throw brokenTextError({ path: [name], isName: false })
  if (!text.includes('\u{FFFD}') || Buffer.from(text, 'utf8').equals(bytes)) return text
  throw new AppError('invalid_parameter', `${truncate(name, 64)} must be text in UTF-8.`, { param: truncate(name, 64) })
}

function invalidForm(problem: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `The form ${problem}.`, { cause })
}
