import { expect, it } from 'vitest'
import { readMutations } from './read-mutations.ts'
import { watchMemory } from './watch-memory.ts'

const count = 400
const readMsMax = 5_000
const grownBytesMax = 300 * 1024 * 1024

it(`reads ${count} mutated files to pixels or a refusal, each in little time and memory`, async () => {
  const memory = watchMemory()
  const outcomes = new Set<string>()
  for await (const { outcome, origin, tookMs } of readMutations({ count, seed: 1 })) {
    outcomes.add(outcome)
    expect(tookMs, origin).toBeLessThan(readMsMax)
  }
  expect(memory.grownBytes()).toBeLessThan(grownBytesMax)
  // Were all of them refused at the first look, nothing would have been tried.
  expect([...outcomes]).toEqual(expect.arrayContaining(['read', 'damaged', 'not_a_picture', 'too_large']))
})
