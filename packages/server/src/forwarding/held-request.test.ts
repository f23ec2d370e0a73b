import { expect, it } from 'vitest'
import { HeldRequest } from './held-request.ts'

it('the tokens of a request count toward limits before its settlement is visible', async () => {
  const steps: string[] = []
  const dependencies = {
    store: { endForwarded: async () => steps.push('settled') > 0 },
    logger: { warn: () => {}, error: () => {} },
    onTokensUsed: (tokens: number) => void steps.push(`${tokens} tokens`),
    onEnded: () => void steps.push('ended'),
    onUnwritten: () => {},
  }
  const rule = { unit: 'token', microCredits: { input: 1, output: 1 } } as const
  const request = new HeldRequest(dependencies, { no: 1, requestId: 'r', rule, priceMicroCredits: 100 })
  request.mayBeHeld = true
  await request.settle('completed', { input: 20, cachedInput: 8, output: 5 }, { isEstimated: false, cost: null })
  expect(steps).toEqual(['25 tokens', 'settled', 'ended'])
})
