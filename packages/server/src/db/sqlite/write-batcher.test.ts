import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { WriteBatcher } from './write-batcher.ts'
import type { WriteBatch, WriteOperation, WriteOutcome } from '../write-operations.ts'

/**
 * A simulated writer thread. It collects the batches that it receives, and replies when the test
 * calls `reply`. The outcome of each operation contains the number of the operation.
 */
class FakeWriter extends EventEmitter {
  readonly batches: number[][] = []
  replyCount = 0

  postMessage({ operations }: WriteBatch): void {
    this.batches.push(operations.map((operation) => (operation.kind === 'cancel' ? operation.no : 0)))
  }

  reply(tookMs: number): void {
    const numbers = this.batches[this.replyCount] ?? []
    this.replyCount += 1
    this.emit('message', { outcomes: numbers.map((no): WriteOutcome => ({ kind: 'replayed', no })), tookMs })
  }
}

const slowMs = 5
const quickMs = 0.2

function operationOf(no: number): WriteOperation {
  return { kind: 'cancel', no, failure: { code: 'cancelled', message: '' } }
}

function openBatcher(): { batcher: WriteBatcher; writer: FakeWriter; pushMany: (count: number) => void; outcomeNos: number[] } {
  const writer = new FakeWriter()
  const batcher = new WriteBatcher(writer as unknown as Worker, () => 1)
  const outcomeNos: number[] = []
  let next = 0
  return {
    batcher,
    writer,
    outcomeNos,
    pushMany(count) {
      for (let i = 0; i < count; i++) {
        const no = next++
        batcher.push(operationOf(no), (outcome) => outcomeNos.push(outcome?.kind === 'replayed' && outcome.no === no ? no : -1))
      }
    },
  }
}

const sizes = ({ batches }: FakeWriter): number[] => batches.map((batch) => batch.length)

it('the write batcher sends the operations of one event-loop tick together', async () => {
  const { writer, pushMany, outcomeNos } = openBatcher()
  pushMany(40)
  expect(sizes(writer)).toEqual([])
  await setImmediate()
  expect(sizes(writer)).toEqual([40])
  writer.reply(slowMs)
  expect(outcomeNos).toHaveLength(40)
})

it('the write batcher sends 32 operations at once while commits are fast, and all operations at the end of the tick while commits are slow', async () => {
  const { writer, pushMany } = openBatcher()
  pushMany(1)
  await setImmediate()
  writer.reply(quickMs)
  pushMany(40)
  expect(sizes(writer)).toEqual([1, 32])
  await setImmediate()
  expect(sizes(writer)).toEqual([1, 32, 8])
  writer.reply(quickMs)
  writer.reply(slowMs)
  pushMany(40)
  expect(sizes(writer)).toEqual([1, 32, 8])
  await setImmediate()
  expect(sizes(writer)).toEqual([1, 32, 8, 40])
})

it('the write batcher has at most two batches in progress, with at most 512 operations each', async () => {
  const { writer, pushMany } = openBatcher()
  pushMany(2000)
  await setImmediate()
  await setImmediate()
  await setImmediate()
  expect(sizes(writer)).toEqual([512, 512])
  writer.reply(quickMs)
  expect(sizes(writer)).toEqual([512, 512, 512])
})

it('each operation gets its own outcome once and in order, in any sequence of ticks and commits', async () => {
  const anyStep = fc.oneof(
    fc.record({ push: fc.integer({ min: 1, max: 700 }) }),
    fc.record({ replyAfterMs: fc.constantFrom(quickMs, slowMs) }),
    fc.constant('tick' as const),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
      const { writer, pushMany, outcomeNos } = openBatcher()
      let pushed = 0
      for (const step of steps) {
        if (step === 'tick') await setImmediate()
        else if ('push' in step) pushMany(step.push)
        else if (writer.replyCount < writer.batches.length) writer.reply(step.replyAfterMs)
        if (typeof step === 'object' && 'push' in step) pushed += step.push
        expect(writer.batches.length - writer.replyCount).toBeLessThanOrEqual(2)
      }
      while (outcomeNos.length < pushed) {
        await setImmediate()
        if (writer.replyCount < writer.batches.length) writer.reply(quickMs)
      }
      expect(outcomeNos).toEqual(Array.from({ length: pushed }, (_, no) => no))
    }),
  )
})

it('a drain of the write batcher waits for earlier operations, and not for later ones', async () => {
  const { batcher, writer, pushMany, outcomeNos } = openBatcher()
  pushMany(600)
  await setImmediate()
  const drained = vi.fn<() => void>()
  void batcher.drain().then(drained)
  pushMany(600)
  writer.reply(slowMs)
  await setImmediate()
  expect(drained).not.toHaveBeenCalled()
  writer.reply(slowMs)
  await setImmediate()
  expect(drained).toHaveBeenCalledOnce()
  expect(outcomeNos.length).toBeLessThan(1200)
})

it('an error of one callback does not affect the other operations of its batch', async () => {
  const writer = new FakeWriter()
  const batcher = new WriteBatcher(writer as unknown as Worker, () => 1)
  const replies: string[] = []
  batcher.push(operationOf(0), () => {
    throw new Error('the callback fails')
  })
  batcher.push(operationOf(1), () => replies.push('second'))
  await setImmediate()
  const thrownLater = vi
    .spyOn(globalThis, 'setImmediate')
    .mockImplementation((() => {}) as unknown as typeof globalThis.setImmediate)
  try {
    writer.reply(slowMs)
    expect(replies).toEqual(['second'])
    expect(thrownLater.mock.calls.map(([callback]) => callback)).toEqual([expect.toSatisfy(throwsCallbackError)])
    await batcher.drain()
  } finally {
    thrownLater.mockRestore()
  }
})

function throwsCallbackError(callback: () => void): boolean {
  try {
    callback()
    return false
  } catch (error) {
    return error instanceof Error && error.message === 'the callback fails'
  }
}
