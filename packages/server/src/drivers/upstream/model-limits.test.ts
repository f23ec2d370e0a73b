import { expect, it } from 'vitest'
import { refuseBeyondLimits, type ModelLimits } from './model-limits.ts'

const limits: ModelLimits = {
  parameters: ['prompt', 'seconds', 'resolution', 'aspect_ratio', 'reference_images'],
  seconds: [6, 10],
  resolutions: ['720p'],
  aspectRatios: ['16:9', '9:16', '1:1'],
  referenceImagesMax: 1,
}

it.each([
  [{ seconds: 8 }, 'seconds must be 6 or 10 for this model'],
  [{ resolution: '1080p' }, 'resolution must be 720p for this model'],
  [{ aspect_ratio: '4:3' }, 'aspect_ratio must be 16:9, 9:16 or 1:1 for this model'],
  [{ reference_images: ['a', 'b'] }, 'reference_images must be at most 1 image for this model'],
  [{ seed: 1 }, 'seed is not supported for this model; leave it out'],
])('the limits of a model refuse %j', (parameters, message) => {
  expect(refuseBeyondLimits({ parameters }, limits)).toEqual({ parameter: Object.keys(parameters)[0], message })
})

it('the limits of a model refuse seconds outside their range', () => {
  const ranged = { ...limits, seconds: { from: 4, to: 15 } }
  expect(refuseBeyondLimits({ parameters: { seconds: 16 } }, ranged)?.message).toBe('seconds must be 4 to 15 for this model')
  expect(refuseBeyondLimits({ parameters: { seconds: 15 } }, ranged)).toBeNull()
})

it('the limits of a model refuse a seed above the maximum', () => {
  const seeded: ModelLimits = { parameters: ['seed'], seedMax: 100 }
  expect(refuseBeyondLimits({ parameters: { seed: 101 } }, seeded)?.message).toBe('seed must be at most 100 for this model')
  expect(refuseBeyondLimits({ parameters: { seed: 100 } }, seeded)).toBeNull()
})

it('the limits of a model ignore the aspect ratio if the first frame determines it', () => {
  const decided: ModelLimits = { ...limits, parameters: ['first_frame', 'aspect_ratio'], firstFrameSetsRatio: true }
  expect(refuseBeyondLimits({ parameters: { aspect_ratio: '4:3', first_frame: 'a' } }, decided)).toBeNull()
  expect(refuseBeyondLimits({ parameters: { aspect_ratio: '4:3' } }, decided)?.parameter).toBe('aspect_ratio')
})

it('the limits of a model refuse references together with frames, and a request without a required image', () => {
  const exclusive: ModelLimits = {
    parameters: ['prompt', 'first_frame', 'reference_images'],
    isReferenceExclusive: true,
    requiresOneOf: ['first_frame', 'reference_images'],
  }
  expect(refuseBeyondLimits({ parameters: { first_frame: 'a', reference_images: ['b'] } }, exclusive)).toEqual({
    parameter: 'reference_images',
    message: 'reference_images cannot be combined with first_frame or last_frame for this model',
  })
  expect(refuseBeyondLimits({ parameters: { prompt: 'a kite', reference_images: [] } }, exclusive)).toEqual({
    parameter: 'first_frame',
    message: 'first_frame or reference_images is required for this model',
  })
  expect(refuseBeyondLimits({ parameters: { first_frame: 'a' } }, exclusive)).toBeNull()
})

it('a model without limits for a parameter accepts every value of the parameter', () => {
  const parameters = { seconds: 60, resolution: '8K', aspect_ratio: '5:4' }
  expect(refuseBeyondLimits({ parameters }, { parameters: ['seconds', 'resolution', 'aspect_ratio'] })).toBeNull()
})
