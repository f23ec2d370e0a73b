import { createHash } from 'node:crypto'
import path from 'node:path'
import { previewKinds } from '@framegate/contract'
import { fileNameOf } from '../assets/asset-file-name.ts'
import type { Config } from '../config/config.ts'
import { openReader, type Reader, type Row } from '../db/open-reader.ts'
import { StartupError } from '../lib/startup-error.ts'
import { previewFilesOf } from './preview-files.ts'
import { openStoredFile } from '../media/disk-media-store.ts'
import { MediaStoreError, type OpenedMedia } from '../media/media-store.ts'
import { ownerIdOf } from '../media/result-file-name.ts'
import { openMediaStore } from '../start/open-media-store.ts'

export interface MediaProgress {
  files: number
  bytes: number
  filesTotal: number
  bytesTotal: number
  damaged: number
}

/** A file that does not match the database. */
export interface DamagedFile {
  file: string
  of: { task: string } | { asset: string }
  /** Kind of damage. `content`: the size is correct, but the SHA-256 is not. */
  problem: 'missing' | 'size' | 'content' | 'unreadable'
  recordedBytes: number
  /** Actual size of the file. Null: the file is missing or cannot be read. */
  foundBytes: number | null
}

export interface VerifyMediaOptions {
  /** Aborts the run at the current file. Damage that was already reported remains valid. */
  signal: AbortSignal
  /** Called after each file, and after about each megabyte of a large one. */
  onProgress: (progress: MediaProgress) => void
  onDamaged: (damaged: DamagedFile) => void
}

type OpenMedia = (fileName: string) => Promise<OpenedMedia | undefined>

interface RecordedFile {
  name: string
  of: DamagedFile['of']
  sizeBytes: number
  sha256: string
  /**
   * Whether the database still expects the file, which retention or the account may have removed in
   * the meantime.
   */
  isStillStored: () => Promise<boolean>
}

const rowsPerQuery = 500

/**
 * Reads all files of results, previews and assets, one after another, and compares their sizes and
 * SHA-256 with the database. Only one page of rows is in memory at a time. Nothing is changed.
 */
export async function verifyMedia(
  config: Pick<Config, 'dataDir' | 'media' | 'database'>,
  { signal, onProgress, onDamaged }: VerifyMediaOptions,
): Promise<MediaProgress> {
  await using resources = new AsyncDisposableStack()
  const reader = resources.use(await openReader(config))
  const open = await createOpenMedia(config, resources)
  const [files, bytes] = await countFiles(reader, Date.now())
  const progress: MediaProgress = { files: 0, bytes: 0, filesTotal: files, bytesTotal: bytes, damaged: 0 }
  for await (const recordedFile of recordedFiles(reader)) {
    if (signal.aborted) break
    const advance = (readBytes: number): void => {
      progress.bytes += readBytes
      onProgress(progress)
    }
    const damage = await findDamage(recordedFile, open, { signal, advance })
    if (signal.aborted) break
    if (damage !== null && (await recordedFile.isStillStored())) {
      progress.damaged += 1
      onDamaged({ file: recordedFile.name, of: recordedFile.of, recordedBytes: recordedFile.sizeBytes, ...damage })
    }
    progress.files += 1
    onProgress(progress)
  }
  return progress
}

async function findDamage(
  { name, sizeBytes, sha256 }: RecordedFile,
  open: OpenMedia,
  { signal, advance }: { signal: AbortSignal; advance: (bytes: number) => void },
): Promise<Pick<DamagedFile, 'problem' | 'foundBytes'> | null> {
  try {
    const file = await open(name)
    if (file === undefined) return { problem: 'missing', foundBytes: null }
    if (file.sizeBytes !== sizeBytes) {
      file.stream.destroy()
      return { problem: 'size', foundBytes: file.sizeBytes }
    }
    const hash = createHash('sha256')
    for await (const chunk of file.stream as AsyncIterable<Buffer>) {
      if (signal.aborted) return null
      hash.update(chunk)
      advance(chunk.byteLength)
    }
    return hash.digest('hex') === sha256 ? null : { problem: 'content', foundBytes: sizeBytes }
  } catch (cause) {
    if (cause instanceof MediaStoreError && (cause.code === 'unavailable' || cause.code === 'refused'))
      throw new StartupError(`The files of the bucket cannot be read: ${cause.message}.`, { cause })
    return { problem: 'unreadable', foundBytes: null }
  }
}

async function createOpenMedia(config: Pick<Config, 'dataDir' | 'media'>, resources: AsyncDisposableStack): Promise<OpenMedia> {
  if (config.media.kind === 'disk') {
    const folder = path.join(config.dataDir, 'media')
    return (name) => openStoredFile(folder, name)
  }
  const store = await openMediaStore(config, resources)
  return (name) => store.open(name)
}

/** A preview is removed only together with its result, so this condition covers previews too. */
const keptResults = 'results where removed_at is null and expires_at > $1'
const keptAssets = 'assets where stored_at is not null and removed_at is null'

async function countFiles(reader: Reader, nowMs: number): Promise<[files: number, bytes: number]> {
  const totalsColumns = 'count(*) as files, coalesce(sum(size_bytes), 0) as bytes'
  const previewQueries = previewKinds.map(
    (kind) => `select count(*) as files, coalesce(sum(${kind}_bytes), 0) as bytes from ${keptResults} and ${kind}_bytes > 0`,
  )
  const totals = [
    ...(await reader.rows(`select ${totalsColumns} from ${keptResults}`, [nowMs])),
    ...(await reader.rows(`select ${totalsColumns} from ${keptAssets}`)),
    ...(await Promise.all(previewQueries.map((query) => reader.rows(query, [nowMs])))).flat(),
  ]
  const sum = (name: string): number => totals.reduce((total, row) => total + Number(row[name]), 0)
  return [sum('files'), sum('bytes')]
}

/**
 * Yields the files of results and their previews by task, then the files of assets. Rows are read
 * page by page, in primary key order.
 */
async function* recordedFiles(reader: Reader): AsyncGenerator<RecordedFile> {
  for (let lastKey: readonly [taskNo: number, position: number] = [0, -1]; ;) {
    const rows = await reader.rows(
      `select task_no, position, object_key, size_bytes, sha256,
         thumbnail_bytes, thumbnail_sha256, spritesheet_bytes, spritesheet_sha256
       from ${keptResults} and (task_no, position) > ($2, $3)
       order by task_no, position
       limit ${rowsPerQuery}`,
      [Date.now(), ...lastKey],
    )
    for (const row of rows) {
      const name = String(row['object_key'])
      const key = [Number(row['task_no']), Number(row['position'])] as const
      lastKey = key
      const isStillStored = async (): Promise<boolean> =>
        (await reader.rows(`select 1 from ${keptResults} and task_no = $2 and position = $3`, [Date.now(), ...key])).length > 0
      const owner = { task: ownerIdOf(name) }
      yield { ...sizeAndDigest(row), name, of: owner, isStillStored }
      for (const preview of previewFilesOf(row)) yield { ...preview, of: owner, isStillStored }
    }
    if (rows.length < rowsPerQuery) break
  }
  for (let lastNo = 0; ;) {
    const rows = await reader.rows(
      `select no, id, content_type, size_bytes, sha256 from ${keptAssets} and no > $1 order by no limit ${rowsPerQuery}`,
      [lastNo],
    )
    for (const row of rows) {
      const [id, no] = [String(row['id']), Number(row['no'])]
      lastNo = no
      const isStillStored = async (): Promise<boolean> =>
        (await reader.rows(`select 1 from ${keptAssets} and no = $1`, [no])).length > 0
      yield {
        ...sizeAndDigest(row),
        name: fileNameOf({ id, content_type: String(row['content_type']) }),
        of: { asset: id },
        isStillStored,
      }
    }
    if (rows.length < rowsPerQuery) return
  }
}

function sizeAndDigest(row: Row): Pick<RecordedFile, 'sizeBytes' | 'sha256'> {
  return { sizeBytes: Number(row['size_bytes']), sha256: String(row['sha256']) }
}
