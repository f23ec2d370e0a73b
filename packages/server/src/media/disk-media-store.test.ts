import { mkdir, mkdtemp, open, readdir, rm, stat, writeFile, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openDiskMediaStore, openStoredFile } from './disk-media-store.ts'
import { describeMediaStore } from './media-store.suite.ts'
import { spreadPathOf } from './stored-path.ts'

describeMediaStore('disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'framegate-media-'))
  return { store: await openDiskMediaStore(folder), dispose: () => rm(folder, { recursive: true }) }
})

const objectKey = 'task_019af2c0ffee7000800000000000abcd.mp4'
const secondKey = 'task_019af2c0ffee7000800000000000abce.mp4'
const hour = '2025-12-06T08'
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

it('files are stored in a folder for the hour in which their id was created', async () => {
  const store = await openDiskMediaStore(folder)
  await store.put(objectKey, Readable.from([Buffer.from('video')]), options)
  expect(store.pathOf(objectKey)).toBe(join(folder, hour, objectKey))
  expect(await readdir(join(folder, hour))).toEqual([objectKey])
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
  // The synced paths are the file, the parent of its folder, and its folder. The parent is synced
  // once.
  expect(isNamedAtSync).toEqual([false, false, true])
  await store.put(objectKey, Readable.from([Buffer.from('video')]), options)
  expect(isNamedAtSync.slice(3)).toEqual([true, true])
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
  expect(isNamedAtSync).toEqual([false, false, true])
  await store.putFile(secondKey, file, { ...options, isSynced: true })
  expect(isNamedAtSync.slice(3)).toEqual([true])
})

it('a file in the folders that version 0.1.0, backups and buckets use is found, replaced and removed', async () => {
  await mkdir(join(folder, 'ab', 'cd'), { recursive: true })
  const spreadPath = join(folder, 'ab', 'cd', objectKey)
  await writeFile(spreadPath, 'copied')
  const store = await openDiskMediaStore(folder)
  expect(store.pathOf(objectKey)).toBe(spreadPath)
  expect(await store.stat(objectKey)).toEqual({ sizeBytes: 6 })
  for (const opened of [await store.open(objectKey), await openStoredFile(folder, objectKey)])
    expect(opened && (await text(opened.stream))).toBe('copied')
  await store.put(objectKey, Readable.from([Buffer.from('video')]), options)
  expect(store.pathOf(objectKey)).toBe(join(folder, hour, objectKey))
  expect(await store.stat(objectKey)).toEqual({ sizeBytes: 5 })
  const secondPath = spreadPath.replace('abcd', 'abce')
  await writeFile(secondPath, 'copied')
  await store.remove(objectKey)
  expect(await store.open(objectKey)).toBeUndefined()
  expect(await readdir(join(folder, 'ab', 'cd'))).toEqual([basename(secondPath)])
})

it('removing the last file of a folder of version 0.1.0 removes the folder and its parent', async () => {
  const store = await openDiskMediaStore(folder)
  for (const name of ['cd', 'ce']) await mkdir(join(folder, 'ab', name), { recursive: true })
  for (const key of [objectKey, secondKey]) await writeFile(spreadPathOf(folder, key), 'copied')
  await store.remove(objectKey)
  expect(await readdir(join(folder, 'ab'))).toEqual(['ce'])
  await store.remove(secondKey)
  expect(await readdir(folder)).toEqual(['incoming'])
})

it('removing the last file of a folder removes the folder, and the next put creates it again', async () => {
  const store = await openDiskMediaStore(folder)
  for (const key of [objectKey, secondKey]) await store.put(key, Readable.from([Buffer.from('video')]), options)
  await store.remove(objectKey)
  expect(await readdir(join(folder, hour))).toEqual([secondKey])
  await store.remove(secondKey)
  expect(await readdir(folder)).toEqual(['incoming'])
  await store.put(objectKey, Readable.from([Buffer.from('video')]), options)
  await rm(join(folder, hour), { recursive: true })
  const file = join(folder, 'result')
  await writeFile(file, 'video')
  await store.putFile(secondKey, file, options)
  expect(await readdir(join(folder, hour))).toEqual([secondKey])
})

it('puts and removals of the same hour at the same time lose no file', async () => {
  const store = await openDiskMediaStore(folder)
  const file = join(folder, 'result')
  await writeFile(file, 'video')
  const keys = Array.from({ length: 20 }, (_, no) => objectKey.replace('abcd', String(no).padStart(4, '0')))
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      keys.map(async (key, no) => {
        await store.putFile(key, file, options)
        if (no > 0) await store.remove(key)
      }),
    )
    expect(await readdir(join(folder, hour))).toEqual([keys[0]])
    await store.remove(String(keys[0]))
  }
})

it('a put succeeds while missing files of the same hour are removed', async () => {
  const store = await openDiskMediaStore(folder)
  const file = join(folder, 'result')
  await writeFile(file, 'video')
  const done = new AbortController()
  const removals = Array.from({ length: 4 }, async () => {
    while (!done.signal.aborted) await store.remove(secondKey)
  })
  try {
    for (let round = 0; round < 20; round++) {
      await store.putFile(objectKey, file, options)
      await store.remove(objectKey)
    }
  } finally {
    done.abort()
    await Promise.all(removals)
  }
  expect((await readdir(folder)).toSorted()).toEqual(['incoming', 'result'])
})

it('a put creates its folders again if the media folder was removed', async () => {
  const media = join(folder, 'media')
  const store = await openDiskMediaStore(media)
  await rm(media, { recursive: true })
  await store.put(objectKey, Readable.from([Buffer.from('video')]), options)
  expect(await store.stat(objectKey)).toEqual({ sizeBytes: 5 })
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
