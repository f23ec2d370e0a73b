import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../lib/app-error.ts'
import { isDeeperThan } from './json-depth.ts'
import { jsonDepthMax, type HttpLimits } from './limits.ts'

type BodyLimits = Pick<HttpLimits, 'bodyBytesMax' | 'arrivingBytesMax'>

export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Reads request bodies: `application/json` in UTF-8, whole in memory up to a bound, never nested deeper than we ever need.
 *
 * A body that is refused becomes the AppError itself, thrown by `requireJsonObject`. Given to Fastify as a parser's fault
 * it would close the connection, and a client that is still sending would lose the answer; so the rest of an oversized
 * body is discarded by Node behind the answer, for as long as the request may take at all.
 */
export function addJsonBodies(app: FastifyInstance, limits: BodyLimits): void {
  const arriving = { bytes: 0 }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request, payload: IncomingMessage, done) => {
    const refused = refuseByHeaders(request, limits.bodyBytesMax)
    if (refused === null) readBody(payload, limits, arriving, done)
    else done(null, refused)
  })
}

/** The body that a route needs. */
export function requireJsonObject(request: FastifyRequest): JsonObject {
  const { body } = request
  if (body instanceof AppError) throw body
  if (body === undefined) throw invalidJson('The body is empty; send a JSON object.')
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidJson('The body must be a JSON object, such as {"model": "imgA-5.0", "prompt": "A paper boat"}.')
  }
  return body as JsonObject
}

/** For a route that needs no body: nothing, or anything that is not refused as such. */
export function allowJsonBody({ body }: FastifyRequest): void {
  if (body instanceof AppError) throw body
}

const charsetPattern = /;\s*charset\s*=\s*"?([^\s";]+)/i

function refuseByHeaders({ headers }: FastifyRequest, bytesMax: number): AppError | null {
  const charset = charsetPattern.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    return new AppError('unsupported_media_type', 'Send the JSON body in UTF-8; no other charset is read.')
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    return new AppError('unsupported_media_type', 'Send the body without Content-Encoding; compressed bodies are not read.')
  }
  return Number(headers['content-length']) > bytesMax ? tooLarge(bytesMax) : null
}

function readBody(
  payload: IncomingMessage,
  { bodyBytesMax, arrivingBytesMax }: BodyLimits,
  arriving: { bytes: number },
  done: (error: Error | null, body?: unknown) => void,
): void {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  let isFinished = false

  function onBytes(chunk: Buffer): void {
    if (isFinished) return
    sizeBytes += chunk.byteLength
    arriving.bytes += chunk.byteLength
    if (sizeBytes > bodyBytesMax) finish(null, tooLarge(bodyBytesMax))
    else if (arriving.bytes > arrivingBytesMax) finish(null, tooManyArriving())
    else chunks.push(chunk)
  }
  function onEnd(): void {
    const [first] = chunks
    finish(null, parseBody(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, sizeBytes)))
  }
  function onFault(error: Error): void {
    finish(error)
  }
  function finish(error: Error | null, body?: unknown): void {
    if (isFinished) return
    isFinished = true
    arriving.bytes -= sizeBytes
    chunks.length = 0
    done(error, body)
  }
  payload.on('data', onBytes).on('end', onEnd).on('error', onFault)
}

/** The parsed value, undefined for no bytes at all, or the refusal. */
function parseBody(bytes: Buffer): unknown {
  if (bytes.byteLength === 0) return undefined
  if (!isUtf8(bytes)) return invalidJson('The body is not valid UTF-8.')
  const text = bytes.toString('utf8')
  if (isDeeperThan(text, jsonDepthMax)) return invalidJson(`The body nests deeper than ${jsonDepthMax} levels.`)
  try {
    return JSON.parse(text) as unknown
  } catch {
    // V8's message quotes the body, which may hold anything.
    return invalidJson('The body is not valid JSON.')
  }
}

function invalidJson(message: string): AppError {
  return new AppError('invalid_json', message)
}

function tooManyArriving(): AppError {
  return new AppError('overloaded', 'Too many large requests arrive at the same time; try again shortly.')
}

function tooLarge(bytesMax: number): AppError {
  return new AppError('body_too_large', `The body is larger than the ${bytesMax} bytes allowed; send large pictures by URL.`)
}
