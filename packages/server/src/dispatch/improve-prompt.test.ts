import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { createLogger } from '../lib/logger.ts'
import { improvePrompt } from './improve-prompt.ts'

type Arguments = Parameters<typeof improvePrompt>

it('an endless improved prompt is read up to the maximum size of a text, and the task keeps its own prompt', async () => {
  let readMiB = 0
  function* endlessText() {
    for (; readMiB < 200; readMiB++) yield Buffer.alloc(1024 * 1024, 'a')
  }
  const driver = {
    start: async () => ({}),
    poll: async () => ({ state: 'succeeded', outputs: [{}] }),
    fetchOutput: async () => Readable.from(endlessText()),
  }
  const recorded: unknown[] = []
  const running = {
    taskId: 'task_1',
    attemptId: 'task_1_1',
    attempt: { snapshotNo: 0 },
    claim: { task: { model: 'm', object: 'image' } },
    signal: new AbortController().signal,
    stopReason: null,
  }
  const dependencies = {
    store: { find: async () => undefined, recordImprovement: async (_: unknown, outcome: unknown) => recorded.push(outcome) > 0 },
    routes: { connection: () => ({ driver, cost: null }), accepts: () => true },
    logger: createLogger('silent'),
  }
  const task = { parameters: { prompt: 'a fox' }, facts: { promptCharactersMax: 5000 }, simulate: {} }
  const prompt = await improvePrompt(
    running as unknown as Arguments[0],
    task as unknown as Arguments[1],
    dependencies as unknown as Arguments[2],
  )
  expect([prompt, recorded]).toEqual(['a fox', [{ outcome: 'failed' }]])
  expect(readMiB).toBeLessThan(10)
})
