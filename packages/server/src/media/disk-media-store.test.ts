import { mkdtemp, open, readdir, rm, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openDiskMediaStore } from './disk-media-store.ts'
import { describeMediaStore } from './media-store.suite.ts'

describeMediaStore('disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'framegate-media-'))
  return { store: await openDiskMediaStore(folder), dispose: () => rm(folder, { recursive: true }) }
})

const objectKey = 'task_019af2c0ffee7000800000000000abcd.mp4'
const options = { bytesMax: 1000, signal: new AbortController().signal }
let folder: string

async function fileHandlePrototype(): Promise<FileHandle> {
  await using file = await open(join(folder, 'any'), 'w')
  return Object.getPrototypeOf(file) as FileHandle
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-media-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('files are spread over folders by the random end of their IDs', async () => {
  const store = await openDiskMediaStore(folder)
  await store.put(objectKey, Readable.from([Buffer.from('video')]), options)
  expect(store.pathOf(objectKey)).toBe(join(folder, 'ab', 'cd', objectKey))
  expect(await readdir(join(folder, 'ab', 'cd'))).toEqual([objectKey])
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})

it('opening the store removes incomplete files of a crash and keeps stored files', async () => {
  const firstStore = await openDiskMediaStore(folder)
  await firstStore.put(objectKey, Readable.from([Buffer.from('video')]), options)
  await writeFile(join(folder, 'incoming', `${objectKey}.left-over`), 'half a fi')
  const secondStore = await openDiskMediaStore(folder)
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
  expect(await secondStore.stat(objectKey)).toEqual({ sizeBytes: 5 })
})

it('a put that fails leaves no temporary file', async () => {
  const store = await openDiskMediaStore(folder)
  await expect(store.put(objectKey, Readable.from([Buffer.alloc(2000)]), options)).rejects.toMatchObject({
    code: 'too_large',
  })
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})

it('a put syncs the file before it renames the file, and syncs the folder after the renaming', async () => {
  const store = await openDiskMediaStore(folder)
  const isNamedAtSync: boolean[] = []
  const fileHandle = await fileHandlePrototype()
  using _ = vi.spyOn(fileHandle, 'sync').mockImplementation(async () => {
    isNamedAtSync.push((await store.stat(objectKey)) !== undefined)
  })
  await store.put(objectKey, Readable.from([Buffer.from('video')]), options)
  // The synced paths are the file, the two folders above its new folder, and its folder. Without
  // new folders, they are the file and its folder.
  expect(isNamedAtSync).toEqual([false, false, false, true])
  await store.put(objectKey, Readable.from([Buffer.from('video')]), options)
  expect(isNamedAtSync.slice(4)).toEqual([true, true])
})

it('a file of the same file system is synced and then stored as a hard link', async () => {
  const store = await openDiskMediaStore(folder)
  const file = join(folder, 'result')
  await writeFile(file, 'video')
  const isNamedAtSync: boolean[] = []
  const fileHandle = await fileHandlePrototype()
  using _ = vi.spyOn(fileHandle, 'sync').mockImplementation(async () => {
    isNamedAtSync.push((await store.stat(objectKey)) !== undefined)
  })
  await store.putFile(objectKey, file, options)
  expect((await stat(store.pathOf(objectKey))).ino).toBe((await stat(file)).ino)
  expect(isNamedAtSync).toEqual([false, false, false, true])
  await store.remove(objectKey)
  await store.putFile(objectKey, file, { ...options, isSynced: true })
  expect(isNamedAtSync.slice(4)).toEqual([true])
})

it('a put on a full disk fails with no_space and leaves no temporary file', async () => {
  const store = await openDiskMediaStore(folder)
  const fileHandle = await fileHandlePrototype()
  const diskFullError = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  using _ = vi.spyOn(fileHandle, 'write').mockRejectedValue(diskFullError)
  await expect(store.put(objectKey, Readable.from([Buffer.from('video')]), options)).rejects.toMatchObject({
    name: 'MediaStoreError',
    code: 'no_space',
    cause: diskFullError,
  })
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})
