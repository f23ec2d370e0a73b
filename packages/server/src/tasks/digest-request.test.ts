import { expect, it } from 'vitest'
import { digestRequest } from './digest-request.ts'

it('is the same for the same request, whatever the order of its fields', () => {
  const digest = digestRequest('m', { prompt: 'x', seed: 1 })
  expect(digestRequest('m', { seed: 1, prompt: 'x' })).toBe(digest)
  expect(digestRequest('m2', { prompt: 'x', seed: 1 })).not.toBe(digest)
  expect(digestRequest('m', { prompt: 'x', seed: 2 })).not.toBe(digest)
  expect(digestRequest('m', { prompt: 'x","seed":1' })).not.toBe(digest)
  const [one, other] = [
    ['a', 'b'],
    ['b', 'a'],
  ].map((images) => digestRequest('m', { prompt: 'x', reference_images: images }))
  expect(one).not.toBe(other)
})
