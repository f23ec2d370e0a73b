import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { StoredResult } from '../db/task-queries.ts'
import { AppError } from '../lib/app-error.ts'
import type { MediaStore } from '../media/media-store.ts'
import { fileDamaged, openIntact } from '../media/open-intact.ts'
import type { ResultFile } from '../media/previews/create-preview.ts'
import { PreviewRefusal } from '../media/previews/preview-encoder.ts'
import { MediaProbeError } from '../media/probe-media.ts'
import type { ProbeUntrusted } from '../media/prober/prober-pool.ts'

export interface ResultFileDependencies {
  mediaStore: Pick<MediaStore, 'open' | 'stat' | 'pathOf'>
  probeUntrustedFile: ProbeUntrusted
}

/** Placeholder for the properties of an image, whose thumbnail depends only on the file. */
const placeholderMedia: ResultFile['media'] = {
  contentType: 'image/png',
  kind: 'image',
  width: 0,
  height: 0,
  durationSeconds: null,
}

/**
 * Opens the file of a stored result, in the media folder or as a copy in `directory`, and probes it
 * if it is a video. Disposal removes the copy. Throws a `PreviewRefusal` if the file is not usable,
 * an `AppError` `result_expired` if the file was removed, and an `AppError` `internal_error` if its
 * size has changed.
 */
export async function openResultFile(
  { mediaStore, probeUntrustedFile }: ResultFileDependencies,
  { objectKey, contentType, sizeBytes }: Pick<StoredResult, 'objectKey' | 'contentType' | 'sizeBytes'>,
  directory: string,
  signal: AbortSignal,
): Promise<ResultFile & AsyncDisposable> {
  const localPath = mediaStore.pathOf?.(objectKey)
  const file = localPath ?? path.join(directory, objectKey)
  const remove = async (): Promise<void> => {
    if (localPath === undefined) await rm(file, { force: true })
  }
  try {
    if (localPath === undefined) await copyFile()
    else await requireIntact()
    const media = contentType.startsWith('image/') ? placeholderMedia : await probeFile()
    return { path: file, media, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }

  async function requireIntact(): Promise<void> {
    const file = await mediaStore.stat(objectKey)
    if (file === undefined) throw resultExpired()
    if (file.sizeBytes !== sizeBytes) throw fileDamaged(objectKey, { recordedBytes: sizeBytes, sizeBytes: file.sizeBytes })
  }

  async function copyFile(): Promise<void> {
    const media = await openIntact(mediaStore, { objectKey, sizeBytes })
    if (media === undefined) throw resultExpired()
    await mkdir(directory, { recursive: true })
    await pipeline(media.stream, createWriteStream(file), { signal })
  }

  async function probeFile(): Promise<ResultFile['media']> {
    try {
      return await probeUntrustedFile(file, signal)
    } catch (error) {
      throw error instanceof MediaProbeError ? new PreviewRefusal(error.message, { cause: error }) : error
    }
  }
}

export function resultExpired(): AppError {
  return new AppError('result_expired', 'This result has been removed.')
}
