import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'
import { ByteCollector } from '../../lib/byte-collector.ts'
import type { IncomingMemory, BodyOwner } from './incoming-memory.ts'
import { brokenTextError } from './broken-text.ts'
import { restoreNumbers } from './exact-numbers.ts'
import type { JsonParser } from './json-parser.ts'
import { deepJsonLimits, type HttpLimits } from '../limits.ts'
import type { ParsedJson } from './parse-json-body.ts'
import type { PaceWatch } from '../connections/transfer-pace.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on a route that accepts images as data URIs in its body. */
    acceptsImages?: true
    /** Set on a route that accepts conversations and tool schemas, which may be deeply nested. */
    acceptsDeepJson?: true
  }
  interface FastifyRequest {
    /**
     * The bytes of a body of the type `application/json`, even if it is not valid JSON, without a
     * byte order mark. Null for an empty body, a body of more than `retainedBytesMax` bytes, and a
     * body of another type.
     */
    bodyBytes: Buffer | null
  }
}

/** If a body takes longer than this to arrive, the key of its request is checked again. */
const slowBodyMs = 250

export type JsonObject = Readonly<Record<string, unknown>>

/** Limits that all request bodies share. */
export interface SharedBodyLimits {
  memory: IncomingMemory
  pace: PaceWatch
  ownerOf: (request: FastifyRequest) => BodyOwner
}

/**
 * Reads request bodies: `application/json` in UTF-8, collected in memory up to a limit. A separate
 * thread parses large bodies.
 *
 * If a body is rejected, `request.body` is an `AppError`, which `requireJsonObject` throws. On a
 * parser error, Fastify would close the connection, and a client that is still sending would lose
 * the response. Instead, the response is sent, and Node discards the rest of the body until the
 * time limit of the request.
 */
export function addJsonBodies(
  app: FastifyInstance,
  limits: Pick<HttpLimits, 'bodyBytesMax' | 'imagesBodyBytesMax'>,
  incoming: SharedBodyLimits,
  parser: Pick<JsonParser, 'parse'>,
): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('bodyBytes', null)
  app.addContentTypeParser('application/json', (request, payload: IncomingMessage, done) => {
    const bytesMax = bytesMaxOf(request, limits)
    const headerError = findHeaderError(request, bytesMax)
    if (headerError !== null) return done(null, headerError)
    const startedAtMs = performance.now()
    collectBody(payload, { bytesMax, incoming, owner: () => incoming.ownerOf(request) }, (collected) => {
      if (collected instanceof Buffer && performance.now() - startedAtMs > slowBodyMs)
        return reauthorizeSlow(request).then(() => parse(collected), done)
      return parse(collected)
    })

    function parse(collected: Buffer | AppError | Error): void | Promise<void> {
      if (collected instanceof AppError) return done(null, collected)
      if (collected instanceof Error) return done(endedEarly(collected))
      const bytes = withoutByteOrderMark(collected)
      if (bytes.byteLength === 0) return done(null, undefined)
      if (bytes.byteLength <= retainedBytesMax) request.bodyBytes = bytes
      const isDeep = request.routeOptions.config.acceptsDeepJson === true
      const parsed = isDeep ? parser.parse(bytes, deepJsonLimits) : parser.parse(bytes)
      return parsed instanceof Promise ? finishParsing(parsed, done) : done(null, bodyOf(parsed))
    }
  })
}

/**
 * Checks the key again after a body that took long to arrive. Otherwise, requests that began before
 * the key was revoked could still change something minutes later.
 */
async function reauthorizeSlow(request: FastifyRequest): Promise<void> {
  await request.reauthorize?.(request)
}

async function finishParsing(parsing: Promise<ParsedJson>, done: (error: Error | null, body?: unknown) => void): Promise<void> {
  let parsed: ParsedJson
  try {
    parsed = await parsing
  } catch (error) {
    return done(error instanceof Error ? error : new Error(String(error)))
  }
  done(null, bodyOf(parsed))
}

/** Returns the parsed value, or the error if the body was rejected. */
function bodyOf(parsed: ParsedJson): unknown {
  if ('brokenText' in parsed) return brokenTextError(parsed.brokenText)
  if ('error' in parsed) return invalidJson(parsed.error)
  if (parsed.exactNumbers !== undefined) restoreNumbers(parsed.value, parsed.exactNumbers)
  return parsed.value
}

/**
 * Returns the body of a request as a JSON object. Throws an `AppError` if it is missing, was
 * rejected or is not an object.
 */
export function requireJsonObject(request: FastifyRequest): JsonObject {
  const { body } = request
  if (body instanceof AppError) throw body
  if (body === undefined) throw invalidJson('The body is empty; send a JSON object.')
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidJson('The body must be a JSON object, such as {"model": "imgA-5.0", "prompt": "A paper boat"}.')
  }
  return body as JsonObject
}

/** Accepts a request with or without a JSON body. Throws only if the body was rejected. */
export function allowJsonBody({ body }: FastifyRequest): void {
  if (body instanceof AppError) throw body
}

/**
 * Returns the size limit of a body. Does not look up the route's settings for a body that announces
 * a small size, because the lookup is slow.
 */
function bytesMaxOf(
  request: FastifyRequest,
  { bodyBytesMax, imagesBodyBytesMax }: Pick<HttpLimits, 'bodyBytesMax' | 'imagesBodyBytesMax'>,
): number {
  const announcedBytes = Number(request.headers['content-length'])
  if (announcedBytes <= bodyBytesMax) return bodyBytesMax
  return request.routeOptions.config.acceptsImages === true ? imagesBodyBytesMax : bodyBytesMax
}

/** Maximum size of `request.bodyBytes`, which stays in memory until the end of the request. */
const retainedBytesMax = 16 * 1024

const charsetPattern = /;\s*charset\s*=\s*"?([^\s";]+)/i

function findHeaderError({ headers }: FastifyRequest, bytesMax: number): AppError | null {
  const charset = charsetPattern.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase()
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    return new AppError('unsupported_media_type', 'Send the JSON body in UTF-8; no other charset is accepted.')
  }
  return findEncodingError(headers) ?? (Number(headers['content-length']) > bytesMax ? tooLarge(bytesMax) : null)
}

/** Returns the error for a compressed body. Null: the body is not compressed. */
export function findEncodingError({ 'content-encoding': encoding }: IncomingHttpHeaders): AppError | null {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return null
  return new AppError('unsupported_media_type', 'Send the body without Content-Encoding; compressed bodies are not accepted.')
}

export interface CollectOptions {
  bytesMax: number
  incoming: Pick<SharedBodyLimits, 'memory' | 'pace'>
  /** Not called if the body arrives in one chunk of the announced length. */
  owner: () => BodyOwner
}

/**
 * Number of chunks after which reading pauses until the next tick of the event loop. A body of
 * sixteen megabytes may arrive in sixteen million chunks.
 */
const chunksPerTick = 256
/**
 * A body with more chunks than this must have at least `chunkBytesMin` bytes per chunk on average,
 * because each chunk costs CPU time regardless of its size.
 */
export const uncheckedChunksMax = 65_536
export const chunkBytesMin = 64

/**
 * Collects a body and calls `done` once: with the whole body, with an `AppError` if the body is
 * rejected, or with the error of a lost connection. If `done` returns a promise, the memory of the
 * body is released when the promise settles.
 */
export function collectBody(
  payload: IncomingMessage,
  { bytesMax, incoming, owner }: CollectOptions,
  done: (result: Buffer | AppError | Error) => void | Promise<void>,
): void {
  const announcedBytes = Number(payload.headers['content-length'] ?? 0)
  const collector = new ByteCollector(announcedBytes)
  const transfer = incoming.pace.watch(() => finishReading(tooSlow()))
  let memory: ReturnType<IncomingMemory['open']> | undefined
  let chunkCount = 0
  let isFinished = false

  function onBytes(chunk: Buffer): void {
    if (isFinished) return
    transfer.recordReceived(chunk.byteLength)
    const sizeBytes = collector.length + chunk.byteLength
    if (sizeBytes > bytesMax) return finishReading(tooLarge(bytesMax))
    // A body that arrives in one chunk is parsed immediately, so its memory is not counted.
    if (sizeBytes !== announcedBytes || collector.length > 0) {
      memory ??= incoming.memory.open(owner())
      if (!memory.reserve(collector.bytesAfterAppending(chunk.byteLength))) return finishReading(tooManyIncoming())
    }
    collector.add(chunk)
    if (++chunkCount > uncheckedChunksMax && sizeBytes < chunkCount * chunkBytesMin) return finishReading(chunksTooSmall())
    if (chunkCount % chunksPerTick === 0) {
      payload.pause()
      setImmediate(() => payload.resume())
    }
  }
  function finishReading(result: Buffer | AppError | Error): void {
    if (isFinished) return
    isFinished = true
    transfer[Symbol.dispose]()
    const parsing = done(result)
    if (parsing === undefined) memory?.[Symbol.dispose]()
    else void parsing.finally(() => memory?.[Symbol.dispose]())
  }
  payload
    .on('data', onBytes)
    .on('end', () => finishReading(collector.read()))
    .on('error', finishReading)
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Removes a byte order mark, as RFC 8259 (section 8.1) allows. */
function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes.subarray(0, 3).equals(byteOrderMark) ? bytes.subarray(3) : bytes
}

function invalidJson(message: string): AppError {
  return new AppError('invalid_json', message)
}

function tooManyIncoming(): AppError {
  return new AppError('overloaded', 'The service is receiving too many large requests at the same time; try again shortly.')
}

export function chunksTooSmall(): AppError {
  const message = `The body has more than ${uncheckedChunksMax} chunks, of fewer than ${chunkBytesMin} bytes on average; send larger chunks.`
  return new AppError('invalid_request', message, { headers: { connection: 'close' } })
}

/** Returns the error for a body whose connection was lost. */
export function endedEarly(cause: unknown): AppError {
  return new AppError('invalid_request', 'The request ended before its body was complete.', { cause })
}

export function tooSlow(): AppError {
  return new AppError('request_timeout', 'The body arrives too slowly.', { headers: { connection: 'close' } })
}

function tooLarge(bytesMax: number): AppError {
  return new AppError('body_too_large', `The body is larger than the ${bytesMax} bytes allowed; send large images by URL.`)
}
