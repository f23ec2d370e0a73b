import { expect, it } from 'vitest'
import { batchReads } from './batch-reads.ts'

interface Batch {
  ids: readonly string[]
  signal: AbortSignal
  respond(): void
}

/** Opens a reader. The test responds to its batches. */
function openReader(idsMax = 10) {
  const batches: Batch[] = []
  const read = batchReads(
    (ids, signal) =>
      new Promise<Map<string, string>>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        batches.push({ ids, signal, respond: () => resolve(new Map(ids.map((id) => [id, `the result for ${id}`]))) })
      }),
    { idsMax, batchDelayMs: 5 },
  )
  return { read, batches, expectSentCount: () => expect.poll(() => batches.length) }
}

it('reads within a short time share one request', async () => {
  const { read, batches, expectSentCount } = openReader()
  const { signal } = new AbortController()
  const responses = Promise.all(['a', 'b', 'a'].map((id) => read(id, signal)))
  await expectSentCount().toBe(1)
  batches[0]?.respond()
  expect(batches[0]?.ids).toEqual(['a', 'b'])
  expect(await responses).toEqual(['the result for a', 'the result for b', 'the result for a'])
})

it('a full batch of reads is sent immediately', async () => {
  const { read, batches } = openReader(2)
  const { signal } = new AbortController()
  void Promise.all(['a', 'b', 'c'].map((id) => read(id, signal)))
  expect(batches.map(({ ids }) => ids)).toEqual([['a', 'b']])
})

it('an aborted read rejects immediately, and the other reads of its batch continue', async () => {
  const { read, batches, expectSentCount } = openReader()
  const controller = new AbortController()
  const abortedRead = read('a', controller.signal)
  const otherRead = read('a', new AbortController().signal)
  await expectSentCount().toBe(1)
  controller.abort(new Error('enough'))
  await expect(abortedRead).rejects.toThrow('enough')
  expect(batches[0]?.signal.aborted).toBe(false)
  batches[0]?.respond()
  expect(await otherRead).toBe('the result for a')
})

it('the request of a batch is aborted when all of its reads are aborted', async () => {
  const { read, batches, expectSentCount } = openReader()
  const controller = new AbortController()
  const abortedRead = Promise.allSettled(['a', 'b'].map((id) => read(id, controller.signal)))
  await expectSentCount().toBe(1)
  controller.abort(new Error('enough'))
  await abortedRead
  expect(batches[0]?.signal.aborted).toBe(true)
})

it('a batch whose reads were all aborted is not sent, and later reads succeed', async () => {
  const { read, batches, expectSentCount } = openReader()
  const controller = new AbortController()
  const abortedRead = read('a', controller.signal)
  controller.abort(new Error('enough'))
  await expect(abortedRead).rejects.toThrow('enough')
  await expect(read('a', controller.signal)).rejects.toThrow('enough')
  const response = read('b', new AbortController().signal)
  await expectSentCount().toBe(1)
  batches[0]?.respond()
  expect(await response).toBe('the result for b')
  expect(batches.map(({ ids }) => ids)).toEqual([['b']])
})
