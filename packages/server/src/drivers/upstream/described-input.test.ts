import { describe, expect, it } from 'vitest'
import { readRouteInput } from '../../routing/configuration/read-route-input.ts'

import type { GenerationRequest } from '../driver.ts'
import type { RouteInput } from './route-input.ts'
import { bodyByRouteInput, refuseByRouteInput } from './described-input.ts'

const input: RouteInput = {
  prompt: { required: true, maxLength: 10 },
  seconds: { field: 'duration', values: { 5: '5', 10: '10' } },
  resolution: { field: 'mode', values: { '720p': 'std', '1080p': 'pro' } },
  first_frame: { field: 'image_url', required: true },
  reference_images: { field: 'settings.images', maxItems: 2 },
  audio: { field: 'generate_audio' },
  guidance: { field: 'cfg_scale', minimum: 0, maximum: 1 },
}
const validParameters = { prompt: 'a kite', first_frame: 'https://example.com/a.png' }

const refusal = (parameters: object, routeInput = input) =>
  refuseByRouteInput({ parameters: { ...parameters } }, routeInput)?.message ?? null

const body = (parameters: object, routeInput = input, extra = {}) =>
  bodyByRouteInput(
    { parameters, size: { width: 1280, height: 720 } } as GenerationRequest,
    { input: routeInput, extra } as never,
    async (source, _name, position) => `sent ${source} of ${position}`,
  )

describe('the described input of a route', () => {
  it.for([
    [{ ...validParameters, seed: 7 }, 'seed is not supported for this model; leave it out'],
    [{ prompt: 'a kite' }, 'first_frame is required for this model'],
    [{ ...validParameters, seconds: 7 }, 'seconds must be 5 or 10 for this model'],
    [{ ...validParameters, guidance: 2 }, 'guidance must be 0 to 1 for this model'],
    [{ ...validParameters, reference_images: ['a', 'b', 'c'] }, 'reference_images must be at most 2 items for this model'],
    [{ ...validParameters, prompt: 'a kite over dunes' }, 'prompt must be at most 10 characters for this model'],
    [{ ...validParameters, seconds: 5, resolution: '1080p', audio: false, watermark: false }, null],
  ] as const)('the refusal of %j by the described input is %j', ([parameters, expected]) => {
    expect(refusal(parameters)).toBe(expected)
  })

  it("the body has the provider's names and values, including false, and the route's extra overrides fields", async () => {
    const parameters = { ...validParameters, seconds: 10, resolution: '1080p', audio: false, reference_images: ['x'] }
    expect(await body(parameters, input, { settings: { strict: true } })).toEqual({
      prompt: 'a kite',
      duration: '10',
      mode: 'pro',
      image_url: 'sent https://example.com/a.png of first_frame',
      settings: { images: ['sent x of reference_images/0'], strict: true },
      generate_audio: false,
    })
  })

  it('an entry for the size in pixels replaces ratio and resolution, whose entries then only limit the accepted values', async () => {
    const pixels: RouteInput = { prompt: {}, size: { field: 'image_size' }, aspect_ratio: { enum: ['16:9'] } }
    expect(await body({ prompt: 'a', aspect_ratio: '16:9', resolution: '1K' }, pixels)).toEqual({
      prompt: 'a',
      image_size: { width: 1280, height: 720 },
    })
    expect(refusal({ prompt: 'a', aspect_ratio: '1:1' }, pixels)).toBe('aspect_ratio must be 16:9 for this model')
    expect(await body({ prompt: 'a' }, { prompt: {}, size: { as: 'text' }, width: {} })).toEqual({
      prompt: 'a',
      size: '1280x720',
      width: 1280,
    })
  })

  it('a parameter with `sent: false` is accepted and not sent', async () => {
    const decided: RouteInput = { prompt: {}, aspect_ratio: { sent: false } }
    expect(refusal({ prompt: 'a', aspect_ratio: '1:1' }, decided)).toBe(null)
    expect(await body({ prompt: 'a', aspect_ratio: '1:1' }, decided)).toEqual({ prompt: 'a' })
  })

  it('values are converted to the format that the provider expects', async () => {
    const forms: RouteInput = {
      seconds: { as: 'seconds' },
      steps: { as: 'text' },
      reference_images: { field: 'image', as: 'first' },
    }
    expect(await body({ seconds: 8, steps: 4, reference_images: ['a', 'b'] }, forms)).toEqual({
      seconds: '8s',
      steps: '4',
      image: 'sent a of reference_images/0',
    })
  })

  it.for([
    [{ 'a b': {} }, /^must name parameters of letters/],
    [{ constructor: {} }, /^must name parameters/],
    [{ a: 'image_url' }, /^must have a map for a/],
    [{ a: { feild: 'x' } }, /^must not have feild for a; the fields are field, required/],
    [{ a: { field: '__proto__.x' } }, /^must have a field for a such as image_url/],
    [{ a: { field: 'x'.repeat(65) } }, /^must have a field for a/],
    [{ a: { required: 'yes' } }, /^must have true or false as a\.required/],
    [{ a: { as: 'json' } }, /^must have a\.as one of text, seconds, first$/],
    [{ a: { enum: [] } }, /^must have a list of at most 1000/],
    [{ a: { maximum: '3' } }, /^must have a number as a\.maximum/],
    [Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`p${index}`, {}])), /^must have at most 200 parameters/],
  ] as const)('an invalid input description is refused with one sentence: %j', ([raw, sentence]) => {
    expect(readRouteInput(raw)).toMatch(sentence)
  })
})
