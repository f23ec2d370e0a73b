/**
 * One part of a form. The caller must read its contents completely or not at all before it requests
 * the next part.
 */
export interface FormPart {
  name: string
  /** File name without its folders, which some clients include. Null: the part has no file name. */
  fileName: string | null
  contents: AsyncGenerator<Buffer, void>
}

/**
 * Error for a body that is not valid `multipart/form-data`. The message completes a sentence that
 * begins with "The form".
 */
export class MalformedForm extends Error {
  override readonly name = 'MalformedForm'
}

/**
 * Maximum size of the text before the first part, of each line after a boundary, and of each header
 * line of a part.
 */
const lineBytesMax = 8 * 1024
const headerLinesMax = 20
const boundaryCharactersMax = 200

const boundaryPattern = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i

/** Returns the boundary of a form, or undefined if the Content-Type has no usable boundary. */
export function boundaryOf(contentType: string): string | undefined {
  const [, quoted, unquoted] = boundaryPattern.exec(contentType) ?? []
  const boundary = quoted ?? unquoted
  return boundary !== undefined && boundary.length <= boundaryCharactersMax ? boundary : undefined
}

/**
 * Reads `multipart/form-data` (RFC 7578) as it arrives. All work happens inside the generators, so
 * every error reaches the caller that awaits a part or its contents. Throws `MalformedForm`, and
 * passes on the errors of `source`.
 */
export async function* readFormParts(source: AsyncIterator<Buffer>, boundary: string): AsyncGenerator<FormPart, void> {
  const body = new FormBody(source, boundary)
  for await (const _bytes of body.readUntilDelimiter(lineBytesMax)) {
    // Skips the preamble, which is meant for programs without support for multipart bodies.
  }
  while (await body.hasPart()) {
    const headers = await readHeaders(body)
    const contents = body.readUntilDelimiter()
    yield { ...readDisposition(headers), contents }
    for await (const _bytes of contents) {
      // Skips the contents if the caller did not read them.
    }
    if (!body.isAtDelimiter) throw new Error('reading a part of a form was aborted')
  }
}

class FormBody {
  isAtDelimiter = false
  readonly #source: AsyncIterator<Buffer>
  readonly #delimiter: Buffer
  // A delimiter begins with a line break, except at the very beginning of the body. The buffer
  // therefore starts with a line break.
  #unread: Buffer = Buffer.from('\r\n')

  constructor(source: AsyncIterator<Buffer>, boundary: string) {
    this.#source = source
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  }

  async *readUntilDelimiter(bytesMax = Infinity): AsyncGenerator<Buffer, void> {
    this.isAtDelimiter = false
    for (let contentBytes = 0; ;) {
      const delimiterIndex = this.#unread.indexOf(this.#delimiter)
      const end = delimiterIndex === -1 ? Math.max(0, this.#unread.byteLength - this.#delimiter.byteLength + 1) : delimiterIndex
      contentBytes += end
      if (contentBytes > bytesMax) throw new MalformedForm(`begins after more than ${bytesMax} bytes`)
      const contents = this.#unread.subarray(0, end)
      this.#unread = this.#unread.subarray(delimiterIndex === -1 ? end : delimiterIndex + this.#delimiter.byteLength)
      this.isAtDelimiter = delimiterIndex !== -1
      if (contents.byteLength > 0) yield contents
      if (this.isAtDelimiter) return
      await this.#readMore()
    }
  }

  /** Whether a part follows the delimiter. Two dashes after a delimiter end the form. */
  async hasPart(): Promise<boolean> {
    while (this.#unread.byteLength < 2) await this.#readMore()
    if (this.#unread.subarray(0, 2).equals(twoDashes)) return false
    if ((await this.readLine()).trim() !== '') throw new MalformedForm('has text after a boundary')
    return true
  }

  async readLine(): Promise<string> {
    for (;;) {
      const lineEnd = this.#unread.indexOf('\r\n')
      if ((lineEnd === -1 ? this.#unread.byteLength : lineEnd) > lineBytesMax) {
        throw new MalformedForm(`has a line of more than ${lineBytesMax} bytes in the headers of a part`)
      }
      if (lineEnd !== -1) {
        const line = this.#unread.toString('utf8', 0, lineEnd)
        this.#unread = this.#unread.subarray(lineEnd + 2)
        return line
      }
      await this.#readMore()
    }
  }

  async #readMore(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done === true) throw new MalformedForm('is not well-formed, or ends too early')
    this.#unread = this.#unread.byteLength === 0 ? value : Buffer.concat([this.#unread, value])
  }
}

const twoDashes = Buffer.from('--')

async function readHeaders(body: FormBody): Promise<Map<string, string>> {
  const headers = new Map<string, string>()
  for (let lines = 0; lines <= headerLinesMax; lines++) {
    const line = await body.readLine()
    if (line === '') return headers
    const colon = line.indexOf(':')
    if (colon === -1) throw new MalformedForm('has a line without a colon in the headers of a part')
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  throw new MalformedForm(`has a part with more than ${headerLinesMax} headers`)
}

const parameterPattern = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g

function readDisposition(headers: ReadonlyMap<string, string>): Pick<FormPart, 'name' | 'fileName'> {
  const disposition = headers.get('content-disposition') ?? ''
  const parameters = new Map<string, string>()
  for (const [, key = '', quoted, unquoted = ''] of disposition.matchAll(parameterPattern)) {
    parameters.set(key.toLowerCase(), quoted?.replaceAll(/\\(["\\])/g, '$1') ?? unquoted)
  }
  const name = parameters.get('name')
  if (!/^form-data\s*(?:;|$)/i.test(disposition) || name === undefined) throw new MalformedForm('has a part without a name')
  const fileName = decodeExtended(parameters.get('filename*')) ?? parameters.get('filename')
  return { name, fileName: fileName?.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1) ?? null }
}

/**
 * Decodes the notation `UTF-8''%e6%b9%96.png` (RFC 8187). RFC 7578 forbids it in forms, but some
 * clients use it.
 */
function decodeExtended(value: string | undefined): string | undefined {
  const [, encodedName] = /^utf-8'[^']*'(.*)$/i.exec(value ?? '') ?? []
  try {
    return encodedName && decodeURIComponent(encodedName)
  } catch {
    return undefined
  }
}
