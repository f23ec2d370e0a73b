import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
  type GetObjectCommandOutput,
} from '@aws-sdk/client-s3'
import { MediaStoreError, type ByteRange } from '../media-store.ts'
import type { S3Settings } from './s3-settings.ts'
import { isDamaged, isMissingObject, isNoSuchKey, isRangeBeyondEnd, toStoreError } from './bucket-errors.ts'

/** The bytes of a request and their SHA-256. The S3 service rejects bytes with another hash. */
export interface Body {
  bytes: Buffer
  /** SHA-256 in lower-case hex. */
  sha256: string
}

export interface OpenedObject {
  stream: Readable
  /** Size of the whole object. */
  sizeBytes: number
  etag: string | undefined
}

export interface UnfinishedUpload {
  key: string
  uploadId: string
  beganAtMs: number
}

/**
 * The requests to a bucket. They have timeouts, are retried if a retry may succeed, and fail with a
 * `MediaStoreError` or the reason of an aborted signal.
 */
export interface Bucket extends Disposable {
  readonly client: S3Client
  readonly settings: S3Settings
  put(key: string, body: Body, signal: AbortSignal): Promise<void>
  beginUpload(key: string, signal: AbortSignal): Promise<string>
  /** Uploads a part and returns the part's ETag. */
  putPart(key: string, uploadId: string, number: number, body: Body, signal: AbortSignal): Promise<string>
  completeUpload(key: string, uploadId: string, etags: readonly string[], signal: AbortSignal): Promise<void>
  abortUpload(key: string, uploadId: string): Promise<void>
  listUnfinishedUploads(signal: AbortSignal): AsyncGenerator<UnfinishedUpload>
  /**
   * Opens an object. Undefined: there is no such object. Throws if the object has another ETag than
   * `etag`. The stream is empty if `range` begins beyond the end.
   */
  get(key: string, range: ByteRange | undefined, etag: string | undefined, signal: AbortSignal): Promise<OpenedObject | undefined>
  stat(key: string): Promise<{ sizeBytes: number } | undefined>
  remove(key: string): Promise<void>
}

const connectTimeoutMs = 5_000
/** Time limit from the start of a request without a body to the first byte of its response. */
const responseTimeoutMs = 30_000
/** Minimum rate in bytes per second at which a body must be sent. A slower request times out. */
const sentPerSecondMin = 100_000
/** Time limit of a request without a body, including its retries. */
const smallRequestTimeoutMs = 60_000
/** Time limit of a request that sends or assembles a file, including its retries. */
const bodyRequestTimeoutMs = 300_000
const attemptsMax = 4
/** Maximum number of times that a body is sent if the service reports that it arrived damaged. */
const bodySendsMax = 3
/** Maximum number of connections. Each file that a client reads through this service uses one. */
const connectionsMax = 1_000

export function openBucket(settings: S3Settings): Bucket {
  const { bucket: bucketName, accessKey, endpoint, region, addressing, prefix } = settings
  const connections = { keepAlive: true, maxSockets: connectionsMax }
  const client = new S3Client({
    endpoint,
    region,
    ...(accessKey !== null && { credentials: { accessKeyId: accessKey.id, secretAccessKey: accessKey.secret.reveal() } }),
    forcePathStyle: addressing === 'path',
    maxAttempts: attemptsMax,
    retryMode: 'standard',
    // Some services do not support the newer checksums. All services support the SHA-256 of each
    // body, which is signed.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: responseTimeoutMs,
      throwOnRequestTimeout: true,
      // No limit here, because a client may pause its download. `readObject` detects silent
      // connections.
      socketTimeout: 0,
      httpAgent: new HttpAgent(connections),
      httpsAgent: new HttpsAgent(connections),
    },
  })

  async function stat(key: string): Promise<{ sizeBytes: number } | undefined> {
    try {
      const abortSignal = AbortSignal.timeout(smallRequestTimeoutMs)
      const { ContentLength } = await client.send(new HeadObjectCommand({ Bucket: bucketName, Key: key }), { abortSignal })
      return { sizeBytes: ContentLength ?? 0 }
    } catch (cause) {
      if (isMissingObject(cause)) return undefined
      throw toStoreError('to inspect a file', cause)
    }
  }

  /** Opens an object as an empty stream, for a range beyond its end. */
  async function emptyObject(key: string): Promise<OpenedObject | undefined> {
    const currentStat = await stat(key)
    return currentStat && { stream: Readable.from([]), sizeBytes: currentStat.sizeBytes, etag: undefined }
  }

  return {
    client,
    settings,

    async put(key, body, signal) {
      await sendBody('to store a file', signal, async (abortSignal) => {
        const command = new PutObjectCommand({ Bucket: bucketName, Key: key, Body: body.bytes })
        command.middlewareStack.add(withKnownHash(body), { step: 'build' })
        return await client.send(command, { abortSignal, requestTimeout: requestTimeoutMsOf(body) })
      })
    },

    async beginUpload(key, signal) {
      const { UploadId } = await sendCommand('to start an upload', smallRequestTimeoutMs, signal, async (abortSignal) =>
        client.send(new CreateMultipartUploadCommand({ Bucket: bucketName, Key: key }), { abortSignal }),
      )
      if (UploadId === undefined) throw new MediaStoreError('refused', 'the bucket started an upload without an id')
      return UploadId
    },

    async putPart(key, uploadId, number, body, signal) {
      const { ETag } = await sendBody('to store a part', signal, async (abortSignal) => {
        const command = new UploadPartCommand({
          Bucket: bucketName,
          Key: key,
          UploadId: uploadId,
          PartNumber: number,
          Body: body.bytes,
        })
        command.middlewareStack.add(withKnownHash(body), { step: 'build' })
        return await client.send(command, { abortSignal, requestTimeout: requestTimeoutMsOf(body) })
      })
      if (ETag === undefined) throw new MediaStoreError('refused', 'the bucket stored a part without an ETag')
      return ETag
    },

    async completeUpload(key, uploadId, etags, signal) {
      const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }))
      await sendCommand('to complete an upload', bodyRequestTimeoutMs, signal, async (abortSignal) =>
        client.send(
          new CompleteMultipartUploadCommand({ Bucket: bucketName, Key: key, UploadId: uploadId, MultipartUpload: { Parts } }),
          {
            abortSignal,
            // The S3 service assembles a large file before it responds.
            requestTimeout: bodyRequestTimeoutMs,
          },
        ),
      )
    },

    async abortUpload(key, uploadId) {
      await sendCommand('to abort an upload', smallRequestTimeoutMs, null, async (abortSignal) =>
        client.send(new AbortMultipartUploadCommand({ Bucket: bucketName, Key: key, UploadId: uploadId }), { abortSignal }),
      )
    },

    async *listUnfinishedUploads(signal) {
      let after: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
      while (after !== undefined) {
        const startMarker: { KeyMarker?: string; UploadIdMarker?: string } = after
        const page = await sendCommand('to list uploads', smallRequestTimeoutMs, signal, async (abortSignal) =>
          client.send(new ListMultipartUploadsCommand({ Bucket: bucketName, Prefix: prefix, ...startMarker }), { abortSignal }),
        )
        for (const { Key: key, UploadId: uploadId, Initiated } of page.Uploads ?? []) {
          if (key !== undefined && uploadId !== undefined && Initiated !== undefined)
            yield { key, uploadId, beganAtMs: Initiated.getTime() }
        }
        const { IsTruncated, NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
        after = IsTruncated && KeyMarker ? { KeyMarker, ...(UploadIdMarker && { UploadIdMarker }) } : undefined
      }
    },

    async get(key, range, etag, signal) {
      try {
        const response = await client.send(
          new GetObjectCommand({
            Bucket: bucketName,
            Key: key,
            ...(range !== undefined && { Range: `bytes=${range.start}-${range.end}` }),
            ...(etag !== undefined && { IfMatch: etag }),
          }),
          { abortSignal: signal },
        )
        if (range !== undefined && !hasRange(response, range)) {
          ;(response.Body as Readable).destroy()
          throw new MediaStoreError('refused', 'the bucket sent other bytes than the requested range')
        }
        const totalBytes = response.ContentRange?.split('/')[1] ?? response.ContentLength
        return { stream: response.Body as Readable, sizeBytes: Number(totalBytes), etag: response.ETag }
      } catch (cause) {
        signal.throwIfAborted()
        if (isNoSuchKey(cause)) return undefined
        if (isRangeBeyondEnd(cause)) return await emptyObject(key)
        throw toStoreError('to open a file', cause)
      }
    },

    stat,

    async remove(key) {
      await sendCommand('to remove a file', smallRequestTimeoutMs, null, async (abortSignal) =>
        client.send(new DeleteObjectCommand({ Bucket: bucketName, Key: key }), { abortSignal }),
      )
    },

    [Symbol.dispose]() {
      client.destroy()
    },
  }
}

/**
 * Whether the response has the bytes from the start of the range. A server that ignores `Range`
 * sends the whole object.
 */
function hasRange(
  { ContentRange, ContentLength = Infinity }: Pick<GetObjectCommandOutput, 'ContentRange' | 'ContentLength'>,
  { start, end }: ByteRange,
): boolean {
  return ContentRange === undefined ? start === 0 && ContentLength <= end + 1 : ContentRange.startsWith(`bytes ${start}-`)
}

/**
 * Returns a middleware that sets the hash that was computed while the bytes arrived. The S3 client
 * would compute it again in one step, which would block the event loop.
 */
function withKnownHash({ sha256 }: Body) {
  return <Args extends { request: unknown }, Result>(next: (args: Args) => Promise<Result>) =>
    async (args: Args): Promise<Result> => {
      const request = args.request as { headers: Record<string, string> }
      request.headers['x-amz-content-sha256'] = sha256
      return await next(args)
    }
}

async function sendCommand<T>(
  purpose: string,
  timeoutMs: number,
  signal: AbortSignal | null,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await send(signal === null ? timeout : AbortSignal.any([signal, timeout]))
  } catch (cause) {
    signal?.throwIfAborted()
    throw toStoreError(purpose, cause)
  }
}

async function sendBody<T>(purpose: string, signal: AbortSignal, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return await sendCommand(purpose, bodyRequestTimeoutMs, signal, async (boundedSignal) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(boundedSignal)
      } catch (cause) {
        if (!isDamaged(cause) || attempt === bodySendsMax) throw cause
      }
    }
  })
}

/**
 * Time limit of one attempt to send a body. The S3 client applies it to sending the body and
 * waiting for the response.
 */
function requestTimeoutMsOf({ bytes }: Body): number {
  return responseTimeoutMs + (bytes.length / sentPerSecondMin) * 1000
}
