import { expect, it } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { IncomingMemory } from './incoming-memory.ts'

const mebibyte = 1024 * 1024
const { incomingBytesMax, imagesBodyBytesMax } = defaultLimits

it('each thread receives a body of the maximum size, and all threads together share the limit of an account', () => {
  const main = new IncomingMemory(incomingBytesMax)
  const threads = Array.from({ length: 64 }, () => new IncomingMemory(incomingBytesMax, main.memory))
  for (const thread of threads) {
    using body = thread.open({ accountNo: 1, isOperator: false })
    expect(body.reserve(imagesBodyBytesMax)).toBe(true)
  }
  const bodies = threads.map((thread) => thread.open({ accountNo: 1, isOperator: false }))
  // An account may use 48 MiB for large bodies.
  expect(bodies.filter((body) => body.reserve(16 * mebibyte))).toHaveLength(3)
  expect(main.open({ accountNo: 2, isOperator: false }).reserve(16 * mebibyte)).toBe(true)
  for (const body of bodies) body[Symbol.dispose]()
  expect(main.open({ accountNo: 1, isOperator: false }).reserve(48 * mebibyte)).toBe(true)
})

it('a rejected reservation keeps the previous one', () => {
  const memory = new IncomingMemory(16 * mebibyte)
  using body = memory.open({ accountNo: null, isOperator: false })
  expect([body.reserve(2 * mebibyte), body.reserve(4 * mebibyte), body.reserve(3 * mebibyte)]).toEqual([true, false, true])
  expect(memory.open({ accountNo: null, isOperator: false }).reserve(1)).toBe(true)
})
