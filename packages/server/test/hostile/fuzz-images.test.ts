import { expect, it } from 'vitest'
import { readMutations } from './read-mutations.ts'
import { watchMemory } from './watch-memory.ts'

const mutationCount = 400
const grownBytesMax = 300 * 1024 * 1024

it(`the decoders read ${mutationCount} mutated files to pixels or an error in less than 300 MiB, and none crashes`, async () => {
  const memory = watchMemory()
  const outcomes = new Set<string>()
  for await (const { outcome, origin } of readMutations({ count: mutationCount, seed: 1 })) {
    outcomes.add(outcome)
    expect(outcome, origin).not.toMatch(/crashed|too_slow/)
  }
  expect(memory.grownBytes()).toBeLessThan(grownBytesMax)
  // If the first check rejected all files, the test would prove nothing.
  expect([...outcomes]).toEqual(expect.arrayContaining(['read', 'damaged', 'not_an_image', 'too_large']))
})
