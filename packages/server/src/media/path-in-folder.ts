import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { undefinedIfMissing } from '../lib/undefined-if-missing.ts'
import { MediaStoreError, pathPartsOf } from './media-store.ts'

const hourLength = '2026-11-27T13'.length

/**
 * Returns the path of a file in the folder of a disk store, whether or not the file exists. Throws
 * if the object key does not contain an id, which contains its time.
 */
export function pathInFolder(directory: string, objectKey: string): string {
  const [, , fileName] = pathPartsOf(objectKey)
  const createdAt = /_([0-9a-f]{12})/.exec(fileName)?.[1]
  if (createdAt === undefined) throw new MediaStoreError('invalid_object_key', 'the object key must contain an id')
  return join(directory, new Date(Number.parseInt(createdAt, 16)).toISOString().slice(0, hourLength), fileName)
}

/**
 * Returns the path under which version 0.1.0 and earlier stored the file. Their folders, such as
 * `3f/a9`, were the last characters of the id.
 */
export function earlierPathOf(directory: string, objectKey: string): string {
  return join(directory, ...pathPartsOf(objectKey))
}

/** Returns the path of a file in the folder of a disk store. */
export function findPath(directory: string, objectKey: string): string {
  const path = pathInFolder(directory, objectKey)
  if (existsSync(path)) return path
  const earlierPath = earlierPathOf(directory, objectKey)
  return existsSync(earlierPath) ? earlierPath : path
}

/**
 * Calls `read` with the path of a file, and with its earlier path if there is no such file. Returns
 * undefined if there is no file under either path.
 */
export async function findInFolder<T>(
  directory: string,
  objectKey: string,
  read: (path: string) => Promise<T>,
): Promise<T | undefined> {
  return (
    (await undefinedIfMissing(read(pathInFolder(directory, objectKey)))) ??
    (await undefinedIfMissing(read(earlierPathOf(directory, objectKey))))
  )
}
