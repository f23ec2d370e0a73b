import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { undefinedIfMissing } from '../lib/undefined-if-missing.ts'
import { MediaStoreError, pathPartsOf } from './media-store.ts'

const hourLength = '2026-11-27T13'.length

/**
 * Returns the path of a file in the folder for the hour (UTC) in which its id was created, such as
 * `2026-11-27T13/`. Throws if the object key does not contain an id.
 */
export function hourPathOf(directory: string, objectKey: string): string {
  const [, , fileName] = pathPartsOf(objectKey)
  const createdAt = /_([0-9a-f]{12})/.exec(fileName)?.[1]
  if (createdAt === undefined) throw new MediaStoreError('invalid_object_key', 'the object key must contain an id')
  return join(directory, new Date(Number.parseInt(createdAt, 16)).toISOString().slice(0, hourLength), fileName)
}

/**
 * Returns the path of a file in a folder such as `3f/a9/`, named for the last four digits of its
 * id, which are random. These are the paths in buckets, in backups and in the media folder of
 * version 0.1.0.
 */
export function spreadPathOf(directory: string, objectKey: string): string {
  return join(directory, ...pathPartsOf(objectKey))
}

/**
 * Returns the path at which a file is stored. If the file does not exist, returns its `hourPathOf`.
 */
export function findPath(directory: string, objectKey: string): string {
  const [hourPath, spreadPath] = [hourPathOf(directory, objectKey), spreadPathOf(directory, objectKey)]
  return !existsSync(hourPath) && existsSync(spreadPath) ? spreadPath : hourPath
}

/** Reads a file at the path at which it is stored. Returns undefined if it does not exist. */
export async function readStored<T>(
  directory: string,
  objectKey: string,
  read: (path: string) => Promise<T>,
): Promise<T | undefined> {
  return (
    (await undefinedIfMissing(read(hourPathOf(directory, objectKey)))) ??
    (await undefinedIfMissing(read(spreadPathOf(directory, objectKey))))
  )
}
