import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { InputMemory } from './input-memory.ts'

const { signal } = new AbortController()

/** Acquires memory, and records the order in which the requests got it. */
function recordOrder(memory: InputMemory) {
  const admitted: string[] = []
  const held = new Map<string, Disposable | null>()
  const acquire = async (name: string, accountNo: number, bytes: number, abortSignal = signal): Promise<void> => {
    const acquireAndRecord = async (): Promise<void> => {
      const disposable = await memory.acquire({ accountNo, bytes }, abortSignal)
      held.set(name, disposable)
      if (disposable !== null) admitted.push(name)
    }
    void acquireAndRecord()
    await setImmediate()
  }
  const release = async (name: string): Promise<void> => {
    held.get(name)?.[Symbol.dispose]()
    await setImmediate()
  }
  return { admitted, acquire, release, isRefused: (name: string): boolean => held.get(name) === null }
}

it('attempts above the limit wait until memory is released, and a double release counts once', async () => {
  const { acquire, release, admitted } = recordOrder(new InputMemory(100))
  for (const name of ['a', 'b', 'c']) await acquire(name, 1, 50)
  expect(admitted).toEqual(['a', 'b'])
  await release('a')
  await release('a')
  await acquire('d', 1, 50)
  expect(admitted).toEqual(['a', 'b', 'c'])
})

it('an attempt whose files exceed the limit gets the whole memory', async () => {
  const { acquire, release, admitted } = recordOrder(new InputMemory(100))
  await acquire('small', 1, 1)
  await acquire('large', 1, 500)
  await acquire('later', 2, 1)
  expect(admitted).toEqual(['small'])
  await release('small')
  expect(admitted).toEqual(['small', 'large'])
  await release('large')
  expect(admitted).toEqual(['small', 'large', 'later'])
})

it('accounts take turns', async () => {
  const { acquire, release, admitted } = recordOrder(new InputMemory(100))
  for (const name of ['a1', 'a2', 'a3', 'a4']) await acquire(name, 1, 100)
  await acquire('b1', 2, 100)
  for (const name of ['a1', 'a2', 'b1', 'a3']) await release(name)
  expect(admitted).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
})

it('an attempt whose work stops no longer waits, and those behind it get the memory', async () => {
  const { acquire, admitted, isRefused } = recordOrder(new InputMemory(100))
  const stop = new AbortController()
  await acquire('a', 1, 50)
  await acquire('b', 2, 80, stop.signal)
  await acquire('c', 3, 50)
  stop.abort()
  await setImmediate()
  expect(admitted).toEqual(['a', 'c'])
  expect(isRefused('b')).toBe(true)
  await acquire('d', 4, 1, stop.signal)
  expect(isRefused('d')).toBe(true)
})
