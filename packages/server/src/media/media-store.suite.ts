import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MediaStore } from './media-store.ts'

const objectKey = 'task_019af2c0ffee7000800000000000abcd.mp4'
const bytesMax = 1_000_000

/**
 * The requirements of every media store. `open` creates an empty store and returns a function that
 * disposes of it.
 */
export function describeMediaStore(name: string, open: () => Promise<{ store: MediaStore; dispose: () => Promise<void> }>): void {
  describe(`media store: ${name}`, () => {
    let store: MediaStore
    let dispose: () => Promise<void>

    beforeEach(async () => {
      const openedStore = await open()
      store = openedStore.store
      dispose = openedStore.dispose
    })
    afterEach(() => dispose())

    const signal = new AbortController().signal
    const put = (bytes: Uint8Array) => store.put(objectKey, Readable.from([bytes]), { bytesMax, signal })
    const read = async (range?: { start: number; end: number }) => {
      const openedFile = await store.open(objectKey, range)
      return openedFile && (await buffer(openedFile.stream))
    }

    it('a stored file is returned unchanged, with its size and SHA-256', async () => {
      const bytes = randomBytes(300_000)
      const storedMedia = await store.put(objectKey, Readable.from(chunksOf(bytes)), { bytesMax, signal })
      expect(storedMedia).toEqual({ sizeBytes: 300_000, sha256: createHash('sha256').update(bytes).digest('hex') })
      expect(await read()).toEqual(bytes)
      expect(await store.stat(objectKey)).toEqual({ sizeBytes: 300_000 })
    })

    it('open returns a range of a stored file and the size of the whole file', async () => {
      await put(Buffer.from('0123456789'))
      expect((await read({ start: 3, end: 6 }))?.toString()).toBe('3456')
      expect((await read({ start: 9, end: 9 }))?.toString()).toBe('9')
      const openedFile = await store.open(objectKey, { start: 0, end: 0 })
      openedFile?.stream.destroy()
      expect(openedFile?.sizeBytes).toBe(10)
    })

    it('an empty file can be stored', async () => {
      await store.put(objectKey, Readable.from([]), { bytesMax, signal })
      expect(await store.stat(objectKey)).toEqual({ sizeBytes: 0 })
      expect(await read()).toEqual(Buffer.alloc(0))
    })

    it('a file of exactly bytesMax bytes is stored, and a file with one more byte is rejected and leaves no files', async () => {
      await store.put(objectKey, Readable.from([Buffer.alloc(8)]), { bytesMax: 8, signal })
      await store.remove(objectKey)
      const stream = Readable.from(chunksOf(Buffer.alloc(100_000)))
      await expect(store.put(objectKey, stream, { bytesMax: 99_999, signal })).rejects.toMatchObject({
        name: 'MediaStoreError',
        code: 'too_large',
      })
      expect(stream.destroyed).toBe(true)
      expect(await store.stat(objectKey)).toBeUndefined()
    })

    it('a put whose source fails throws the error of the source and leaves no files', async () => {
      const broken = new Error('the upstream hung up')
      const stream = Readable.from(
        (async function* () {
          yield Buffer.alloc(1000)
          throw broken
        })(),
      )
      await expect(store.put(objectKey, stream, { bytesMax, signal })).rejects.toBe(broken)
      expect(await store.stat(objectKey)).toBeUndefined()
    })

    it('a put that is aborted stops immediately with the reason of the signal', async () => {
      const stop = new AbortController()
      const stream = Readable.from(
        (async function* () {
          yield Buffer.alloc(1000)
          await sleep(60_000, undefined, { ref: false })
        })(),
      )
      const putting = store.put(objectKey, stream, { bytesMax, signal: stop.signal })
      setTimeout(() => stop.abort(new Error('the task was cancelled')), 20)
      await expect(putting).rejects.toThrow('the task was cancelled')
      expect(stream.destroyed).toBe(true)
      const latePut = store.put(objectKey, Readable.from([Buffer.from('x')]), { bytesMax, signal: stop.signal })
      await expect(latePut).rejects.toThrow('the task was cancelled')
      expect(await store.stat(objectKey)).toBeUndefined()
    })

    describe('putFile', () => {
      let folder: string
      let file: string
      beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), 'framegate-put-'))
        file = join(folder, 'result')
      })
      afterEach(() => rm(folder, { recursive: true }))

      it.each([
        ['unknown', {}],
        ['known', { knownMedia: { sizeBytes: 5, sha256: createHash('sha256').update('video').digest('hex') }, isSynced: true }],
      ])('a file whose hash is %s is stored, and stays stored after the source file was removed', async (_, digest) => {
        await writeFile(file, 'video')
        const sha256 = createHash('sha256').update('video').digest('hex')
        expect(await store.putFile(objectKey, file, { bytesMax: 5, signal, ...digest })).toEqual({ sizeBytes: 5, sha256 })
        await rm(file)
        expect((await read())?.toString()).toBe('video')
      })

      it('putFile replaces the stored file, and a later put does not change the source file', async () => {
        await put(Buffer.from('first'))
        await writeFile(file, 'second')
        await store.putFile(objectKey, file, { bytesMax, signal })
        expect((await read())?.toString()).toBe('second')
        await store.putFile(objectKey, file, { bytesMax, signal })
        await put(Buffer.from('third'))
        expect(await readFile(file, 'utf8')).toBe('second')
      })

      it('putFile stores no file that is missing or too large, and none if it is aborted', async () => {
        await writeFile(file, 'video')
        const error = { name: 'MediaStoreError', code: 'too_large' }
        await expect(store.putFile(objectKey, file, { bytesMax: 4, signal })).rejects.toMatchObject(error)
        await expect(store.putFile(objectKey, join(folder, 'none'), { bytesMax, signal })).rejects.toMatchObject({
          code: 'ENOENT',
        })
        const reason = new Error('the task was cancelled')
        await expect(store.putFile(objectKey, file, { bytesMax, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
        expect(await store.stat(objectKey)).toBeUndefined()
      })
    })

    it('a failed second put keeps the first file, and a successful second put replaces it', async () => {
      await put(Buffer.from('first'))
      await expect(store.put(objectKey, Readable.from([Buffer.from('too long')]), { bytesMax: 3, signal })).rejects.toMatchObject(
        {
          code: 'too_large',
        },
      )
      expect((await read())?.toString()).toBe('first')
      await put(Buffer.from('second'))
      expect((await read())?.toString()).toBe('second')
    })

    it('two concurrent puts of one key leave one complete file', async () => {
      const [a, b] = [Buffer.alloc(50_000, 'a'), Buffer.alloc(60_000, 'b')]
      await Promise.all([put(a), put(b)])
      const contents = await read()
      expect(contents?.equals(a) || contents?.equals(b)).toBe(true)
    })

    it('open and stat return undefined for a missing file', async () => {
      expect(await store.open(objectKey)).toBeUndefined()
      expect(await store.stat(objectKey)).toBeUndefined()
    })

    it('a file can be removed twice', async () => {
      await put(Buffer.from('x'))
      await store.remove(objectKey)
      await store.remove(objectKey)
      expect(await store.stat(objectKey)).toBeUndefined()
    })

    it.each([
      '../../../etc/passwd',
      '..',
      'task_1/../../x.mp4',
      'task_1\\x.mp4',
      'task_0000.mp4\0',
      'TASK_0000.mp4',
      'task_0000..mp4',
      'task_0000',
      '.mp4',
      'a.mp4',
      '',
      `${'a'.repeat(81)}.mp4`,
    ])('the object key %j is rejected', async (id) => {
      const refusal = { name: 'MediaStoreError', code: 'invalid_object_key' }
      const stream = Readable.from([Buffer.from('x')])
      await expect(store.put(id, stream, { bytesMax, signal })).rejects.toMatchObject(refusal)
      expect(stream.destroyed).toBe(true)
      await expect(store.putFile(id, '/dev/null', { bytesMax, signal })).rejects.toMatchObject(refusal)
      await expect(store.open(id)).rejects.toMatchObject(refusal)
      await expect(store.stat(id)).rejects.toMatchObject(refusal)
      await expect(store.remove(id)).rejects.toMatchObject(refusal)
    })
  })
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.byteLength; start += 7000) yield bytes.subarray(start, start + 7000)
}
