import { expect, it } from 'vitest'
import type { GenerationRequest } from '../driver.ts'
import type { UpstreamTarget } from './upstream-driver.ts'
import type { UpstreamImages } from './upstream-images.ts'
import { applyOperatorOverrides, withoutRenamed } from './renamed-parameters.ts'

const request = {
  parameters: { prompt: 'a kite', seconds: 5, seed: 7, first_frame: 'https://example.com/a.png' },
} as GenerationRequest
const target = {
  parameters: { seed: 'settings.seed', first_frame: 'start', last_frame: 'end' },
  extra: { settings: { quality: 'high' }, tags: ['b'] },
} as unknown as UpstreamTarget
const images = { publicUrl: async (image) => image } as UpstreamImages

it('the driver does not get the parameters that the operator has renamed', () => {
  expect(withoutRenamed(request, target).parameters).toEqual({ prompt: 'a kite', seconds: 5 })
})

it("the operator's parameters and extra fields are merged into the body and its objects", async () => {
  const body = { prompt: 'a kite', settings: { duration: 5 }, tags: ['a'] }
  expect(await applyOperatorOverrides(body, target, request, images, AbortSignal.timeout(1000))).toEqual({
    prompt: 'a kite',
    settings: { duration: 5, seed: 7, quality: 'high' },
    tags: ['b'],
    start: 'https://example.com/a.png',
  })
  expect(body).toEqual({ prompt: 'a kite', settings: { duration: 5 }, tags: ['a'] })
})
