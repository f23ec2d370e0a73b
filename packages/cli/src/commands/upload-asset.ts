import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { Asset, ResumableUpload } from '@framegate/sdk'
import { CommandFailure } from '../command-failure.ts'
import type { ServerSession } from '../connection/call-server.ts'
import { exitCodes } from '../exit-codes.ts'
import { createProgressLine, percentOf } from '../terminal/progress-line.ts'
import { plainText, writeToStderr } from '../terminal/write.ts'

/** Maximum size in bytes of a file that is sent in one request. */
const singleRequestBytesMax = 16 * 1024 * 1024

/** Uploads a file, or lets the server import it from a URL or a data URI. */
export async function uploadAsset(session: ServerSession, addressOrPath: string, name: string | undefined): Promise<Asset> {
  const { client, call } = session
  if (/^(https?:\/\/|data:)/i.test(addressOrPath)) return await client.assets.create({ url: addressOrPath, name }, call)
  const file = await requireReadable(addressOrPath, () => openReadable(addressOrPath))
  const asset = { file, name: name ?? basename(addressOrPath) }
  if (file.size <= singleRequestBytesMax) return await client.assets.create(asset, call)
  const sha256 = await requireReadable(addressOrPath, () => hashFile(addressOrPath, call.signal))
  return await uploadLarge(session, { ...asset, sha256 })
}

/**
 * Sends a large file in parts. Continues an unfinished upload of the same size and hash, such as
 * that of an interrupted command.
 */
async function uploadLarge({ client, call }: ServerSession, asset: { file: Blob; name: string; sha256: string }): Promise<Asset> {
  const { file, name, sha256 } = asset
  const unfinishedUploads = await client.request<{ items: ResumableUpload[] }>(
    { method: 'GET', path: '/v2/assets/uploads' },
    call,
  )
  const unfinishedUpload = unfinishedUploads.items.find((upload) => upload.size_bytes === file.size && upload.sha256 === sha256)
  const label = plainText(name)
  if (unfinishedUpload !== undefined) {
    writeToStderr(`${label}: continuing an earlier upload at ${percentOf(unfinishedUpload.received_bytes, file.size)} %.`)
  }
  using line = createProgressLine(process.stderr)
  return await client.assets.create(asset, {
    ...call,
    upload: unfinishedUpload?.id,
    onProgress: ({ sentBytes, totalBytes }) =>
      line.show(() => `${label}: ${percentOf(sentBytes, totalBytes)} % of ${totalBytes} bytes`),
    onRetry(retry) {
      line.clear()
      call.onRetry(retry)
    },
  })
}

async function hashFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Opens a file. Rejects if it cannot be read, for example because it is a folder. */
async function openReadable(path: string): Promise<Blob> {
  const file = await openAsBlob(path)
  await file.slice(0, 1).arrayBuffer()
  return file
}

async function requireReadable<T>(path: string, readSource: () => Promise<T>): Promise<T> {
  try {
    return await readSource()
  } catch (cause) {
    throw new CommandFailure(exitCodes.usage, `${path} cannot be read; give the path of a file or a URL.`, { cause })
  }
}
