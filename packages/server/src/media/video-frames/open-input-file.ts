import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { assetIdIn } from '../../identity/asset-id.ts'
import type { FetchUntrusted } from '../../lib/guarded-fetch/fetch-untrusted.ts'
import { UntrustedFetchError } from '../../lib/guarded-fetch/untrusted-fetch-error.ts'
import { limitBytes } from '../../lib/limit-bytes.ts'
import { bytesOfDataUri, isDataUri } from '../data-uri.ts'
import { InvalidImage } from '../invalid-image.ts'
import { mediaInputLimits } from '../media-input-limits.ts'
import type { InputFacts } from '../probe-input.ts'
import { MediaProbeError } from '../probe-media.ts'
import type { ProbeInput } from '../prober/prober-pool.ts'

export interface InputFileDependencies {
  fetchUntrusted: FetchUntrusted
  /** Opens the file of an asset. Undefined: the file is no longer stored. */
  openAssetFile: (assetId: string) => Promise<Readable | undefined>
  probeInput: ProbeInput
  scratchDir: string
}

export interface RequestedFile {
  kind: 'video' | 'audio'
  /** Position of the file in the parameters, for error messages. */
  position: string
  signal: AbortSignal
}

/** A probed file in the scratch folder. The caller must remove it. */
export interface InputFile {
  path: string
  facts: InputFacts
}

/**
 * Copies an untrusted video or sound (a URL, a data URI or an asset) to the scratch folder.
 * Throws an `InvalidImage`, whose message is for the client.
 */
export async function openInputFile(
  dependencies: InputFileDependencies,
  source: string,
  requested: RequestedFile,
): Promise<InputFile> {
  const { kind, position, signal } = requested
  const directory = path.join(dependencies.scratchDir, 'video-frames')
  await mkdir(directory, { recursive: true })
  const targetPath = path.join(directory, randomUUID())
  try {
    await pipeline(
      await openSource(dependencies, source, requested),
      limitBytes(mediaInputLimits.bytesMax[kind]),
      createWriteStream(targetPath),
      {
        signal,
      },
    )
    const facts = await dependencies.probeInput(targetPath, signal)
    if (facts.kind !== kind) {
      const problem = kind === 'video' ? 'this is not a video; send a video' : 'this is not sound; send an audio file'
      throw new InvalidImage('not_an_image', position, problem)
    }
    return { path: targetPath, facts }
  } catch (cause) {
    await rm(targetPath, { force: true })
    throw refusalOf(cause, position)
  }
}

async function openSource(
  { fetchUntrusted, openAssetFile }: Pick<InputFileDependencies, 'fetchUntrusted' | 'openAssetFile'>,
  source: string,
  { kind, position, signal }: RequestedFile,
): Promise<Readable> {
  const bytesMax = mediaInputLimits.bytesMax[kind]
  const assetId = assetIdIn(source)
  if (assetId !== undefined) {
    const file = await openAssetFile(assetId)
    if (file === undefined) throw new InvalidImage('unreachable', position, 'this asset has been removed; upload it again')
    return file
  }
  if (!isDataUri(source)) {
    return (await fetchUntrusted(source, { bytesMax, timeoutMs: mediaInputLimits.fetchTimeoutMs, signal })).stream
  }
  const bytes = bytesOfDataUri(source, bytesMax)
  if (Buffer.isBuffer(bytes)) return Readable.from([bytes], { objectMode: false })
  throw new InvalidImage('damaged', position, bytes.error)
}

function refusalOf(cause: unknown, position: string): unknown {
  if (cause instanceof UntrustedFetchError) {
    return new InvalidImage('unreachable', position, cause.message, { cause, isTransient: cause.isTransient })
  }
  return cause instanceof MediaProbeError ? new InvalidImage('damaged', position, cause.message, { cause }) : cause
}
