import { expect, it } from 'vitest'
import type { GenerationRequest } from '../driver.ts'
import type { UpstreamTarget } from './upstream-driver.ts'
import type { UpstreamFiles } from './upstream-files.ts'
import { applyOperatorOverrides, withoutRenamed } from './renamed-parameters.ts'

const request = {
  parameters: { prompt: 'a kite', seconds: 5, seed: 7, first_frame: 'https://example.com/a.png' },
} as GenerationRequest
const target = {
  parameters: { seed: 'settings.seed', first_frame: 'start', last_frame: 'end' },
  extra: { settings: { quality: 'high' }, tags: ['b'] },
} as unknown as UpstreamTarget
const files = { publicUrl: async (source) => source } as UpstreamFiles

it('withoutRenamed removes the parameters that the operator has renamed', () => {
  expect(withoutRenamed(request, target).parameters).toEqual({ prompt: 'a kite', seconds: 5 })
})

it("the operator's parameters and extra fields are merged into the body and its objects", async () => {
  const body = { prompt: 'a kite', settings: { duration: 5 }, tags: ['a'] }
  expect(await applyOperatorOverrides(body, target, request, files, AbortSignal.timeout(1000))).toEqual({
    prompt: 'a kite',
    settings: { duration: 5, seed: 7, quality: 'high' },
    tags: ['b'],
    start: 'https://example.com/a.png',
  })
  expect(body).toEqual({ prompt: 'a kite', settings: { duration: 5 }, tags: ['a'] })
})
