import { createHash } from 'node:crypto'
import { linkSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { localFileOf, openLocalResults, type LocalResults } from './local-results.ts'
import { localResultCountOf, storeImages } from './succeeded-with.ts'

const attemptId = 'task_1_1'
const { signal } = new AbortController()
let folder: string
let results: LocalResults
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-kept-'))
  results = openLocalResults(path.join(folder, 'kept'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('the bytes of a small result are stored with their size and SHA-256', async () => {
  const storedResult = await results.store(attemptId, 0, Buffer.from('image'))
  const digestAndSize = { sizeBytes: 5, sha256: createHash('sha256').update('image').digest('hex') }
  expect(storedResult).toEqual({ kept: 'task_1_1.0', ...digestAndSize })
  expect(localFileOf({ location: storedResult }, results)).toMatchObject({ isSynced: true, knownMedia: digestAndSize })
  expect(await buffer(results.open(storedResult, signal))).toEqual(Buffer.from('image'))
})

it('a large result is stored without a size and SHA-256', async () => {
  const storedResult = await results.store(attemptId, 0, Buffer.alloc(300 * 1024))
  expect(storedResult).toEqual({ kept: 'task_1_1.0' })
  expect(localFileOf({ location: storedResult }, results)).toMatchObject({ isSynced: true, knownMedia: undefined })
})

it('results wait in memory for a writable folder, up to a maximum total size', async () => {
  const kept = path.join(folder, 'kept')
  writeFileSync(kept, '')
  const limitedResults = openLocalResults(kept, 5)
  const waiting = limitedResults.store(attemptId, 0, Buffer.from('1234'), signal)
  await expect(limitedResults.store(attemptId, 1, Buffer.from('123456'), signal)).rejects.toThrow('ENOTDIR')
  rmSync(kept)
  expect(await waiting).toMatchObject({ sizeBytes: 4 })
  expect(await limitedResults.store(attemptId, 1, Buffer.from('123456'), signal)).toMatchObject({ sizeBytes: 6 })
})

it('an output that was not stored on this machine has no local file', () => {
  for (const location of [{ url: 'https://example.com/1.png' }, null, 'file'])
    expect(localFileOf({ location }, results)).toBeUndefined()
})

it('storing other bytes at the same position leaves the contents of a hard link to the old file unchanged', async () => {
  const firstFile = results.fileOf(await results.store(attemptId, 0, Buffer.from('first')))
  const hardLink = path.join(folder, 'stored')
  linkSync(firstFile.path, hardLink)
  for (const bytes of ['second', 'third']) {
    const storedResult = await results.store(attemptId, 0, Buffer.from(bytes))
    expect(readFileSync(results.fileOf(storedResult).path, 'utf8')).toBe(bytes)
  }
  expect(readFileSync(hardLink, 'utf8')).toBe('first')
})

it.each([[[0]], [[0, 1, 2]], [[]]])(
  'the removal of the results %j of an attempt leaves those of other attempts',
  async (positions) => {
    for (const position of positions) await results.store(attemptId, position, Buffer.from('image'))
    await results.store('task_2_1', 0, Buffer.from('another'))
    await results.remove(attemptId)
    await results.remove(attemptId)
    expect(readdirSync(path.join(folder, 'kept'))).toEqual(['task_2_1.0'])
  },
)

it('all stored results of a response are removed, even if other results of the response are at URLs', async () => {
  const [url, encodedImage] = ['https://example.com/1.png', Buffer.from('image').toString('base64')]
  const images = [{ url }, { b64_json: encodedImage }, { url }, { b64_json: encodedImage }]
  const locations = await storeImages(images, { attemptId, signal }, results)
  expect(locations).toMatchObject([{ url }, { kept: 'task_1_1.0' }, { url }, { kept: 'task_1_1.1' }])
  await results.remove(attemptId, localResultCountOf({ results: locations }))
  expect(readdirSync(path.join(folder, 'kept'))).toEqual([])
})

it('images in data URIs of a response are stored like those in base64', async () => {
  const url = `data:image/png;base64,${Buffer.from('image').toString('base64')}`
  const locations = await storeImages([{ url }, { url: 'data:text/plain,image' }], { attemptId, signal }, results)
  expect(locations).toMatchObject([{ kept: 'task_1_1.0', sizeBytes: 5 }, { url: 'data:text/plain,image' }])
})

it('a removal with a known number of results does not search for others', async () => {
  await results.store(attemptId, 0, Buffer.from('image'))
  await results.remove(attemptId, localResultCountOf({ results: [{ url: 'https://example.com/1.png' }] }))
  expect(readdirSync(path.join(folder, 'kept'))).toEqual(['task_1_1.0'])
})

it('storing the results of an attempt succeeds while they are being removed', async () => {
  for (let round = 0; round < 100; round++) {
    const stored = [0, 1, 2].map((position) => results.store(attemptId, position, Buffer.from('image')))
    const removed = results.remove(attemptId).catch(() => {})
    expect(await Promise.all(stored)).toHaveLength(3)
    await removed
  }
})
