import { describe, expect, it } from 'vitest'
import { DriverRefusal, type GenerationRequest } from '../driver.ts'
import type { GenerationParameters } from '../../catalogue/generation-parameters.ts'
import { productWatermark } from '../../watermark/watermark-design.ts'
import { planRender, type VideoUse } from './plan-render.ts'

function requestOf(parameters: GenerationParameters, object: GenerationRequest['object'] = 'video'): GenerationRequest {
  return { attemptId: 'att_1', model: 'any', object, size: { width: 1280, height: 720 }, parameters, simulate: null }
}

function useOf(parameters: GenerationParameters, object?: 'image'): VideoUse | undefined {
  return planRender(requestOf(parameters, object)).video?.use
}

describe('planRender', () => {
  it.each([
    [{}, 'text', [], false],
    [{ first_frame: 'a' }, 'first-frame', ['first_frame'], false],
    [{ first_frame: 'a', last_frame: 'b' }, 'first-and-last-frame', ['first_frame', 'last_frame'], false],
    [{ last_frame: 'b' }, 'first-frame', ['last_frame'], true],
    [{ reference_images: ['a', 'b'] }, 'text', ['reference_images/0', 'reference_images/1'], false],
    [{ first_frame: 'a', reference_images: ['b'] }, 'first-frame', ['first_frame', 'reference_images/0'], false],
    [{ last_frame: 'a', reference_images: ['b'] }, 'first-frame', ['last_frame', 'reference_images/0'], true],
    [
      { reference_images: ['c'], last_frame: 'b', first_frame: 'a' },
      'first-and-last-frame',
      ['first_frame', 'last_frame', 'reference_images/0'],
      false,
    ],
    [{ reference_images: [] }, 'text', [], false],
    [
      { reference_images: ['a'], reference_videos: ['v', 'w'] },
      'text',
      ['reference_images/0', 'reference_videos/0', 'reference_videos/1'],
      false,
    ],
    [{ input_video: 'v' }, 'first-frame', [], false],
    [{ input_video: 'v', task: 'extend', last_frame: 'b' }, 'first-and-last-frame', ['last_frame'], false],
    [{ input_video: 'v', first_frame: 'a' }, 'first-frame', ['first_frame', 'input_video'], false],
    [{ input_video: 'v', task: 'reference', reference_videos: ['w'] }, 'text', ['reference_videos/0', 'input_video'], false],
    [{ input_video: 'v', task: 'edit', reference_videos: ['w'] }, 'edit', ['reference_videos/0'], false],
    [{ input_video: 'v', task: 'edit', last_frame: 'b' }, 'first-frame', ['last_frame', 'input_video'], true],
    [{ input_video: 'v', task: 'lip_sync', input_audio: 's' }, 'keep', [], false],
    [{ input_video: 'v', task: 'motion', first_frame: 'a' }, 'motion', ['first_frame'], false],
    [
      { input_video: 'v', task: 'motion', reference_images: ['a', 'b'] },
      'motion',
      ['reference_images/0', 'reference_images/1'],
      false,
    ],
    [{ input_video: 'v', task: 'motion' }, 'text', ['input_video'], false],
  ] as const)('the render of %j has the mode %s, the inputs %j and isReversed %j', (inputs, mode, positions, isReversed) => {
    const planned = planRender(requestOf({ prompt: 'go', ...(inputs as GenerationParameters) }))
    expect(planned.plan.mode).toBe(mode)
    expect(planned.requested.map(({ position }) => position)).toEqual(positions)
    expect(planned.isReversed).toBe(isReversed)
  })

  it('planRender extends an input video, unless the request names another task or generates an image', () => {
    expect(useOf({ input_video: 'v' })).toBe('extend')
    expect(useOf({ input_video: 'v', task: 'extend' })).toBe('extend')
    expect(useOf({ input_video: 'v', task: 'reference' })).toBeUndefined()
    expect(useOf({ input_video: 'v' }, 'image')).toBeUndefined()
  })

  it('the first seconds of all reference videos of a render take at most 64 MiB of pixels', () => {
    for (const count of [1, 2, 10]) {
      const { requested } = planRender(
        requestOf({ reference_videos: Array<string>(count).fill('v'), input_video: 'v', task: 'reference' }),
      )
      const pixels = requested.map((input) => ('fit' in input ? NaN : input.frames * input.pixelsMax))
      expect(pixels.reduce((sum, pixelCount) => sum + pixelCount, 0)).toBeLessThanOrEqual(16 * 1024 * 1024)
      expect(requested[0]).toMatchObject({ source: 'v', frames: 72 })
    }
    const [still] = planRender(requestOf({ reference_videos: ['v'] }, 'image')).requested
    expect(still).toEqual({ source: 'v', position: 'reference_videos/0', frames: 1, pixelsMax: 768 * 768 })
  })

  it('planRender requests frames in the exact size of the video, and uncropped references of a limited size', () => {
    const [frame] = planRender(requestOf({ first_frame: 'a' })).requested
    expect(frame).toMatchObject({ fit: 'cover', width: 1280, height: 720 })
    const [reference] = planRender(requestOf({ reference_images: ['a'] })).requested
    expect(reference).toMatchObject({ fit: 'inside', width: 768, height: 768 })
  })

  it('a render plan has 24 frames for each second of video, and one for an image', () => {
    expect(planRender(requestOf({ seconds: 10 })).plan.frames).toBe(240)
    expect(planRender(requestOf({ seconds: 10 }, 'image')).plan.frames).toBe(1)
  })

  it('a planned render has the requested seed, including zero, or no seed if the request has none', () => {
    expect(planRender(requestOf({ prompt: 'go', seed: 0 })).seed).toBe(0)
    expect(planRender(requestOf({ prompt: 'go' })).seed).toBeUndefined()
  })

  it('a planned render has the watermark and negative prompt, and sound only for videos that request it', () => {
    const { plan, watermark } = planRender(requestOf({ watermark: true, negative_prompt: 'people' }))
    expect(plan.negativePrompt).toBe('people')
    expect(watermark).toEqual(productWatermark)
    expect(planRender(requestOf({})).watermark).toBeNull()
    expect(planRender(requestOf({ audio: true })).hasAmbience).toBe(true)
    expect(planRender(requestOf({ audio: true }, 'image')).hasAmbience).toBe(false)
    expect(planRender(requestOf({})).hasAmbience).toBe(false)
  })

  it.each([
    ['frames for an image', requestOf({ first_frame: 'a' }, 'image')],
    ['eleven reference videos', requestOf({ reference_videos: Array.from({ length: 11 }, () => 'a') })],
    ['eleven reference images', requestOf({ reference_images: Array.from({ length: 11 }, () => 'a') })],
  ])('planRender refuses %s', (_name, request) => {
    expect(() => planRender(request)).toThrow(DriverRefusal)
  })
})
