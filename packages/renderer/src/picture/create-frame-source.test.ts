import { describe, expect, it } from 'vitest'
import { pickSome } from '../../test/long-run.ts'
import { plateFor } from '../../test/plate.ts'
import type { FrameRegion } from '../frame-source.ts'
import type { PlanImage, RenderPlan } from '../render-plan.ts'
import { createFrameSource, memoryPagesFor } from './create-frame-source.ts'

const size = { width: 192, height: 108 }
/** Size for tests that set up many scenes. */
const smallSize = { width: 96, height: 54 }
/** Address of the first working plane. */
const planesAddress = 65_536

function planOf(overrides: Partial<RenderPlan> = {}): RenderPlan {
  return {
    ...size,
    frames: 24,
    prompt: 'a lake at dusk',
    negativePrompt: '',
    seed: 7,
    mode: 'text',
    images: [],
    overlay: null,
    ...overrides,
  }
}

function memoryFor(plan: RenderPlan): WebAssembly.Memory {
  const pages = memoryPagesFor(plan)
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
}

function renderFrame(plan: RenderPlan, index: number): Uint8Array {
  const [onlyFrame = new Uint8Array()] = renderFrames(plan, [index])
  return onlyFrame
}

/** Renders all frames from one source, because its set-up takes longer than a frame. */
function renderFrames(plan: RenderPlan, indexes: readonly number[]): Uint8Array[] {
  const memory = memoryFor(plan)
  const source = createFrameSource(plan, memory)
  return indexes.map((index) => bytesIn(memory, source.renderI420(index, 0)))
}

function renderRgbFrame(plan: RenderPlan, index: number): Uint8Array {
  const [onlyFrame = new Uint8Array()] = renderRgbFrames(plan, [index])
  return onlyFrame
}

/** Like `renderFrames`, as RGB. Default: all frames of the plan. */
function renderRgbFrames(plan: RenderPlan, indexes: readonly number[] = [...Array(plan.frames).keys()]): Uint8Array[] {
  const memory = memoryFor(plan)
  const source = createFrameSource(plan, memory)
  return indexes.map((index) => bytesIn(memory, source.renderRgb(index)))
}

function bytesIn({ buffer }: WebAssembly.Memory, { byteOffset, byteLength }: FrameRegion): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength).slice()
}

function makeImage(
  width: number,
  height: number,
  colorAt: (x: number, y: number) => readonly [number, number, number],
): PlanImage {
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rgba.set([...colorAt(x, y), 255], (y * width + x) * 4)
  }
  return { width, height, rgba }
}

/** Draws soft colored waves, which have detail everywhere, up to the edges. */
function wavyImage(width: number, height: number, shift: number): PlanImage {
  return makeImage(width, height, (x, y) => [
    127 + 100 * Math.sin(x / 17 + shift),
    127 + 100 * Math.sin(y / 13 + shift * 2),
    127 + 100 * Math.sin((x + y) / 23 - shift),
  ])
}

const [red, green, blue] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
] as const

/** Returns a reference video with one frame of each color. */
function videoOf(colors: readonly (readonly [number, number, number])[]): PlanImage {
  const frames = colors.map((color) => makeImage(100, 80, () => color))
  return { width: 100, height: 80, frames: frames.length, rgba: Buffer.concat(frames.map(({ rgba }) => rgba)) }
}

function repeatFrame(rgba: Uint8Array): Uint8Array {
  return Buffer.concat([rgba, rgba])
}

/** Converts an image to I420 in floating point, as the expected result. */
function expectedI420({ width, height, rgba }: PlanImage): Uint8Array {
  const i420 = new Uint8Array(width * height * 1.5)
  const channels = (x: number, y: number): [number, number, number] => {
    const index = (y * width + x) * 4
    return [rgba[index] ?? 0, rgba[index + 1] ?? 0, rgba[index + 2] ?? 0]
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b] = channels(x, y)
      i420[y * width + x] = Math.round(16 + (219 / 255) * (0.2126 * r + 0.7152 * g + 0.0722 * b))
    }
  }
  const halfWidth = width / 2
  for (let y = 0; y < height / 2; y++) {
    for (let x = 0; x < halfWidth; x++) {
      const corners = [
        channels(2 * x, 2 * y),
        channels(2 * x + 1, 2 * y),
        channels(2 * x, 2 * y + 1),
        channels(2 * x + 1, 2 * y + 1),
      ]
      const [r, g, b] = [0, 1, 2].map((channel) => corners.reduce((sum, corner) => sum + (corner[channel] ?? 0), 0) / 4) as [
        number,
        number,
        number,
      ] // `map` keeps the number of elements
      const light = 0.2126 * r + 0.7152 * g + 0.0722 * b
      i420[width * height + y * halfWidth + x] = Math.round(128 + (224 / 255) * ((b - light) / 1.8556))
      i420[width * height * 1.25 + y * halfWidth + x] = Math.round(128 + (224 / 255) * ((r - light) / 1.5748))
    }
  }
  return i420
}

function psnr(a: Uint8Array, b: Uint8Array): number {
  expect(a.length).toBe(b.length)
  let squaredDistance = 0
  for (let index = 0; index < a.length; index++) squaredDistance += ((a[index] ?? 0) - (b[index] ?? 0)) ** 2
  return 10 * Math.log10((255 * 255) / (squaredDistance / a.length))
}

function differingShare(a: Uint8Array, b: Uint8Array): number {
  let count = 0
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) count++
  return count / a.length
}

describe('frames of a plan', () => {
  it.each([
    [854, 480],
    [366, 204],
    [108, 192],
    [252, 108],
    [16, 16],
    [18, 130],
  ])('frames of a plan have exactly %i x %i pixels with every byte written', (width, height) => {
    const plan = planOf({ width, height })
    const memory = memoryFor(plan)
    const source = createFrameSource(plan, memory)
    const first = source.renderI420(3, 0)
    const second = source.renderI420(4, 1)
    expect(first.byteLength).toBe((width * height * 3) / 2)
    expect(second.byteLength).toBe(first.byteLength)
    const luma = new Uint8Array(memory.buffer, first.byteOffset, width * height)
    const chroma = new Uint8Array(memory.buffer, first.byteOffset + width * height, (width * height) / 2)
    expect(luma.every((value) => value >= 16 && value <= 235)).toBe(true)
    expect(chroma.every((value) => value >= 16 && value <= 240)).toBe(true)
    expect(source.renderRgb(3).byteLength).toBe(width * height * 3)
  })

  it.each([
    [15, 16],
    [0, 16],
    [16.5, 16],
    [4096, 4096],
  ])('a plan of %d x %d pixels is rejected', (width, height) => {
    expect(() => memoryPagesFor(planOf({ width, height }))).toThrow(/even sides/)
  })

  it('a frame does not depend on the earlier content of the working planes', () => {
    const plan = planOf()
    const memory = memoryFor(plan)
    const source = createFrameSource(plan, memory)
    const { byteOffset, byteLength } = source.renderRgb(3)
    const rgb = new Uint8Array(memory.buffer, byteOffset, byteLength)
    const expected = rgb.slice()
    new Uint8Array(memory.buffer, planesAddress, byteOffset - planesAddress).fill(77)
    source.renderRgb(3)
    expect(differingShare(rgb, expected)).toBe(0)
  })

  it('rendering a frame leaves the other slot unchanged', () => {
    const plan = planOf()
    const memory = memoryFor(plan)
    const source = createFrameSource(plan, memory)
    const region = source.renderI420(0, 0)
    const bytesBefore = new Uint8Array(memory.buffer, region.byteOffset, region.byteLength).slice()
    source.renderI420(20, 1)
    expect(differingShare(bytesBefore, new Uint8Array(memory.buffer, region.byteOffset, region.byteLength))).toBe(0)
  })

  it('a frame of a prompt or of images does not depend on earlier renders', () => {
    const images = [wavyImage(96, 54, 0), wavyImage(96, 54, 2)]
    for (const overrides of [
      { prompt: 'a fox in the snow' },
      { prompt: 'nothing known' },
      { prompt: 'pixel art of a whale' },
      { prompt: 'aurora over a bridge and a train, film' },
      { mode: 'first-frame', images: images.slice(0, 1), prompt: 'rain' },
      { mode: 'first-and-last-frame', images },
      { images },
      { mode: 'first-frame', images },
      { images: [videoOf([red, blue, green])] },
    ] satisfies Partial<RenderPlan>[]) {
      const plan = planOf({ ...smallSize, ...overrides })
      const memory = memoryFor(plan)
      new Uint8Array(memory.buffer).fill(0xa5)
      const source = createFrameSource(plan, memory)
      source.renderI420(17, 0)
      const region = source.renderI420(11, 0)
      const laterFrame = new Uint8Array(memory.buffer, region.byteOffset, region.byteLength)
      expect(differingShare(renderFrame(plan, 11), laterFrame)).toBe(0)
    }
  })

  it('frames of different times, seeds or prompts differ', () => {
    const plan = planOf()
    const [first, last] = renderFrames(plan, [0, 23])
    expect(differingShare(first!, last!)).toBeGreaterThan(0.3)
    expect(differingShare(first!, renderFrame(planOf({ seed: 8 }), 0))).toBeGreaterThan(0.3)
    expect(differingShare(first!, renderFrame(planOf({ prompt: 'a lake at dusk, calm' }), 0))).toBeGreaterThan(0.3)
  })

  it(
    'rendering fits into the memory that memoryPagesFor returns, and fails with an error if the memory is smaller',
    { timeout: 120_000 },
    () => {
      const plan = planOf()
      const smallMemory = new WebAssembly.Memory({ initial: 100, maximum: 100, shared: true })
      expect(() => createFrameSource(plan, smallMemory)).toThrow(/image memory is too small/)
      const images = Array.from({ length: 10 }, (_, index) => wavyImage(256, 256, index))
      const crowd = 'five horses, five bears, five deer and five boats'
      for (const [index, place] of ['rainy forest', 'lake', 'snowy meadow', 'coral reef with five whales'].entries()) {
        for (const frames of pickSome([1, 24], 2, Math.floor(index / 2))) {
          const crowded = planOf({
            width: 640,
            height: 360,
            frames,
            prompt: `${crowd} in a ${place}`,
            images,
          })
          // Every other case uses moving images.
          if ((index + frames) % 2 === 0) {
            expect(() => renderFrame(crowded, 0)).not.toThrow()
            continue
          }
          const movingImages = crowded.images.map(({ width, height, rgba }) => ({
            width,
            height,
            frames: 2,
            rgba: repeatFrame(rgba),
          }))
          expect(() => renderFrame({ ...crowded, images: movingImages }, 0)).not.toThrow()
        }
      }
    },
  )
})

describe('rendered prompts', () => {
  const places = [
    'lake',
    'mountains',
    'sea',
    'forest',
    'desert',
    'canyon',
    'city',
    'space',
    'tundra',
    'meadow',
    'lavender field',
    'underwater',
    'river',
    'waterfall',
    'volcano',
    'beach',
    'village',
    'street',
    'room',
    'above the clouds',
    'abstract',
  ]

  it('the images of any two places differ', { timeout: 240_000 }, () => {
    const frames = places.map((prompt) => renderFrame(planOf({ ...smallSize, prompt }), 12))
    for (const [index, frame] of frames.entries()) {
      for (const otherFrame of frames.slice(index + 1)) expect(psnr(frame, otherFrame)).toBeLessThan(22)
    }
  })

  it.each(['dawn', 'day', 'dusk', 'night'])('a place renders in every weather at %s', (time) => {
    for (const [index, weather] of ['clear', 'rain', 'snow', 'fog'].entries()) {
      for (const place of pickSome(['lake', 'meadow'], 2, index % 2))
        expect(renderFrame(planOf({ ...smallSize, prompt: `${place} ${time} ${weather}` }), 2)).toBeDefined()
    }
  })

  it('a red car in the prompt drives to the right', () => {
    const plan = planOf({ width: 640, height: 360, prompt: 'a red car in a meadow at noon' })
    const [first, middle, last] = renderRgbFrames(plan, [0, 12, 23])
    expect(countRedPixels(middle!)).toBeGreaterThan(100)
    expect(meanRedColumn(last!, 640) - meanRedColumn(first!, 640)).toBeGreaterThan(5)
  })

  it.each(['castle', 'bridge', 'train', 'rocket'])('a prompt with a %s gives an image that shows it', (thing) => {
    const prompt = 'a lake at noon with a'
    const plan = planOf({ width: 320, height: 180, prompt: `${prompt} ${thing}` })
    expect(differingShare(renderFrame(plan, 12), renderFrame({ ...plan, negativePrompt: thing }, 12))).toBeGreaterThan(0.01)
  })

  it('a black and white frame has no color', () => {
    const chroma = renderFrame(planOf({ prompt: 'a red fox in a meadow, black and white noir' }), 12).subarray(192 * 108)
    expect(chroma.every((value) => Math.abs(value - 128) <= 1)).toBe(true)
  })

  it('a pixel art frame consists of squares', () => {
    const luma = renderFrame(planOf({ width: 640, height: 360, prompt: 'pixel art of a castle' }), 12)
    let edges = 0
    for (let index = 0; index < 640 * 360; index += 2) if (luma[index] !== luma[index + 1]) edges++
    expect(edges).toBe(0)
  })

  it('a season or a phenomenon in the prompt changes a frame, and later frames can be rendered', () => {
    const plain = renderFrame(planOf({ prompt: 'meadow at night' }), 12)
    for (const extraWord of ['autumn', 'spring', 'aurora', 'lightning']) {
      const [, changed] = renderFrames(planOf({ prompt: `meadow at night ${extraWord}` }), [0, 12, 60, 110])
      expect(differingShare(plain, changed!)).toBeGreaterThan(0.3)
    }
  })

  it('a red fox is clearly visible on pale snow, and is absent if the negative prompt names it', () => {
    const plan = planOf({ width: 320, height: 180, prompt: 'a red fox in the snow' })
    expect(countRedPixels(renderRgbFrame(plan, 12))).toBeGreaterThan(300)
    expect(countRedPixels(renderRgbFrame({ ...plan, negativePrompt: 'fox' }, 12))).toBe(0)
  })

  it('an overlay changes only its own area of a frame', () => {
    const plan = planOf({ width: 854, height: 480 })
    const without = renderFrame(plan, 5)
    const markedFrame = renderFrame({ ...plan, overlay: plateFor(plan) }, 5)
    let changed = 0
    for (let y = 0; y < 480; y++) {
      for (let x = 0; x < 854; x++) {
        if (without[y * 854 + x] === markedFrame[y * 854 + x]) continue
        changed++
        expect(x).toBeGreaterThan(854 * 0.8)
        expect(y).toBeGreaterThan(480 * 0.9)
      }
    }
    expect(changed).toBeGreaterThan(400)
  })
})

describe('input images', () => {
  it('an input image keeps its colors', () => {
    for (const color of [
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
      [255, 255, 255],
      [0, 0, 0],
      [90, 140, 200],
    ] as const) {
      const flat = makeImage(192, 108, () => color)
      const plan = planOf({ mode: 'first-frame', images: [flat] })
      expect(psnr(renderFrame(plan, 0), expectedI420(flat))).toBeGreaterThan(45)
      const rgb = renderRgbFrame(plan, 20)
      for (const [channel, expected] of color.entries())
        expect(Math.abs((rgb[3 * 5000 + channel] ?? 0) - expected)).toBeLessThan(4)
    }
  })

  it.each([
    [192, 108],
    [366, 204],
    [108, 192],
  ])('the first and the last frame of a video of %i x %i are its input images', (width, height) => {
    const [first, last] = [wavyImage(width, height, 0), wavyImage(width, height, 1.7)]
    const size = { width, height, prompt: 'snow' }
    expect(psnr(renderFrame(planOf({ ...size, mode: 'first-frame', images: [first] }), 0), expectedI420(first))).toBeGreaterThan(
      40,
    )
    const firstAndLastPlan = planOf({ ...size, mode: 'first-and-last-frame', images: [first, last] })
    const [start, middle, end] = renderFrames(firstAndLastPlan, [0, 12, 23])
    expect(psnr(start!, expectedI420(first))).toBeGreaterThan(40)
    expect(psnr(end!, expectedI420(last))).toBeGreaterThan(40)
    expect(psnr(middle!, expectedI420(first))).toBeLessThan(25)
  })

  it('the last frame of a video of a single-colored image has that color up to the edges', () => {
    const flat = makeImage(192, 108, () => [90, 140, 200])
    const plan = planOf({ mode: 'first-frame', images: [flat] })
    expect(psnr(renderFrame(plan, 23), expectedI420(flat))).toBeGreaterThan(45)
  })

  it('a still of an input image shows the image itself', () => {
    const still = wavyImage(192, 108, 0)
    expect(
      psnr(renderFrame(planOf({ mode: 'first-frame', frames: 1, images: [still] }), 0), expectedI420(still)),
    ).toBeGreaterThan(40)
  })

  it.each(['go', 'pan left', 'pan right', 'tilt up', 'tilt down'])(
    'no stretched edge of an input image is visible with the prompt %s',
    (prompt) => {
      const bordered = makeImage(320, 180, (x, y) => (x < 2 || y < 2 || x >= 318 || y >= 178 ? [255, 0, 255] : [90, y, 60]))
      const video = planOf({ mode: 'first-frame', images: [bordered], prompt, width: 320, height: 180 })
      const shares = renderRgbFrames(video).map((rgb) => shareOfHue(rgb, [255, 0, 255]))
      expect(shares[0]).toBeGreaterThan(0.01)
      expect(Math.max(...shares)).toBeLessThan(0.035)
      expect(shares.at(-1)).toBe(0)
    },
  )

  it('a camera move into an input image keeps straight lines straight', () => {
    const [width, height] = [640, 360]
    const lines = makeImage(width, height, (x, y) => (x % 120 < 4 ? [250, 250, 250] : [60 + y / 8, 80, 40 + y / 6]))
    const video = planOf({ mode: 'first-frame', images: [lines], frames: 120, width, height })
    const [first, last] = [renderRgbFrame(video, 0), renderRgbFrame(video, 119)]
    for (const rgb of [first, last]) {
      // Column of the brightest pixel near the line to the right of the middle, for each row in the
      // upper half.
      const columns = Array.from({ length: 160 }, (_, row) => brightestColumn(rgb, (row + 20) * width + 430, 120))
      expect(Math.max(...columns) - Math.min(...columns)).toBeLessThanOrEqual(3)
    }
    expect(differingShare(first, last)).toBeGreaterThan(0.3)
  })

  describe('first and last images', () => {
    const [width, height] = [320, 180]
    const view = (scale: number, left: number, top: number, dim = 1) =>
      makeImage(width, height, (x, y) => {
        const [red, green, blue] = patternAt(left + x / scale, top + y / scale)
        return [red * dim, green * dim, blue * dim]
      })
    const renderVideoTo = (last: PlanImage) =>
      renderRgbFrames(planOf({ mode: 'first-and-last-frame', images: [view(1, 0, 0), last], frames: 48, width, height }))

    it.each([
      ['nearer', view(1.4, 60, 30)],
      ['farther away', view(0.75, -40, -30)],
      ['to one side', view(1, 70, 0)],
      ['in another light', view(1, 0, 0, 0.5)],
    ])('the contrast stays high while a video changes from the first image to a view of the same scene %s', (_, last) => {
      const frames = renderVideoTo(last)
      const contrasts = frames.map((rgb) => contrastOf(rgb, width))
      const [start, end] = [contrasts[0]!, contrasts[47]!]
      // A crossfade of two images would have half the contrast of each image.
      for (const [index, contrast] of contrasts.entries())
        expect(contrast).toBeGreaterThan(0.75 * (start + ((end - start) * index) / 47))
      expect(differingShare(frames[0]!, frames[16]!)).toBeGreaterThan(0.3)
    })

    it('a video changes from the first to the last image without a jump between two frames', () => {
      for (const last of [view(1.4, 60, 30), makeImage(width, height, (x, y) => [200 - x / 2, y, (x ^ y) & 127])]) {
        const frames = renderVideoTo(last)
        const steps = frames.slice(1).map((rgb, index) => meanDifference(rgb, frames[index]!))
        const medianStep = steps.toSorted((left, right) => left - right)[Math.floor(steps.length / 2)]!
        expect(Math.max(...steps)).toBeLessThan(Math.max(6 * medianStep, 20))
      }
    })
  })

  it('an input frame must have the size of the video', () => {
    expect(() => renderFrame(planOf({ mode: 'first-frame', images: [wavyImage(64, 64, 0)] }), 0)).toThrow(/exactly 192x108/)
  })

  const referenceColors = [
    [255, 0, 255],
    [0, 255, 0],
    [255, 160, 0],
    [0, 0, 255],
    [0, 255, 255],
    [255, 0, 0],
    [255, 255, 0],
    [130, 0, 255],
    [0, 130, 0],
    [255, 0, 130],
  ] as const
  const references = referenceColors.map((color, index) => makeImage(100 + 60 * (index % 3), 120, () => color))

  /** Returns the number of frames in which each reference is visible. */
  function countVisibleFrames(frames: readonly Uint8Array[]): number[] {
    return referenceColors.map((color) => frames.filter((rgb) => shareOfHue(rgb, color) > 0.008).length)
  }

  it.each([
    [192, 108],
    [108, 192],
    [128, 128],
  ])('each of ten references is visible for at least half a second in a three-second video of %i x %i', (width, height) => {
    const video = planOf({ images: references, prompt: 'a grey foggy lake', frames: 72, width, height })
    for (const count of countVisibleFrames(renderRgbFrames(video))) expect(count).toBeGreaterThanOrEqual(12)
  })

  it('all references are visible in a still', () => {
    const still = planOf({ images: references, prompt: 'a grey foggy lake', frames: 1, width: 256, height: 256 })
    expect(countVisibleFrames(renderRgbFrames(still))).toEqual(references.map(() => 1))
  })

  it.each([
    ['a fox in a meadow', 'lower'],
    ['a boat on a lake', 'lower'],
    ['a castle at night', 'upper'],
    ['a balloon over mountains', 'upper'],
  ])('references do not cover the subject of the prompt %s, which is in the %s half', (prompt, half) => {
    const plain = planOf({ prompt, frames: 72 })
    const halfBytes = (plain.width * plain.height * 3) / 2
    const [withReferences, without] = [{ ...plain, images: references.slice(0, 3) }, plain].map((plan) =>
      renderRgbFrames(plan, [0, 30, 71]).map((rgb) => (half === 'lower' ? rgb.subarray(halfBytes) : rgb.subarray(0, halfBytes))),
    )
    for (const [index, part] of withReferences!.entries()) expect(differingShare(part, without![index]!)).toBe(0)
  })

  it('a reference video plays in a loop in a video, and its first frame is visible in a still', () => {
    const colors = [red, blue, green]
    const plan = planOf({ images: [videoOf(colors)], prompt: 'a grey foggy lake', frames: 30 })
    const visibleColors = renderRgbFrames(plan).map((rgb) => colors.map((color) => shareOfHue(rgb, color) > 0.02))
    expect(visibleColors).toEqual(visibleColors.map((_, index) => colors.map((_color, position) => position === index % 3)))
    const still = renderRgbFrame({ ...plan, frames: 1 }, 0)
    expect(colors.map((color) => shareOfHue(still, color) > 0.02)).toEqual([true, false, false])
  })

  it('references are visible between given first and last frames, and those frames are unchanged', () => {
    const [first, last] = [wavyImage(192, 108, 0), wavyImage(192, 108, 2)]
    const planWithoutReferences = planOf({ mode: 'first-and-last-frame', images: [first, last], frames: 72 })
    const video = { ...planWithoutReferences, images: [first, last, ...references] }
    const endIndexes = [0, 1, 2, 70, 71]
    const frames = renderRgbFrames(video)
    for (const [order, rgb] of renderRgbFrames(planWithoutReferences, endIndexes).entries())
      expect(differingShare(frames[endIndexes[order]!]!, rgb)).toBe(0)
    for (const count of countVisibleFrames(frames)) expect(count).toBeGreaterThanOrEqual(10)
  })
})

function countRedPixels(rgb: Uint8Array): number {
  let count = 0
  for (let index = 0; index < rgb.length; index += 3) if (isRed(rgb, index)) count++
  return count
}

/** Returns the mean column of the pixels that `countRedPixels` counts. */
function meanRedColumn(rgb: Uint8Array, width: number): number {
  let [sum, count] = [0, 0]
  for (let index = 0; index < rgb.length; index += 3) {
    if (!isRed(rgb, index)) continue
    sum += (index / 3) % width
    count++
  }
  return sum / Math.max(1, count)
}

function isRed(rgb: Uint8Array, index: number): boolean {
  const [red, green, blue] = [rgb[index] ?? 0, rgb[index + 1] ?? 0, rgb[index + 2] ?? 0]
  return red > 80 && red > green * 1.6 && red > blue * 1.8
}

/** Returns the share of pixels that have about this hue and are not dark. */
function shareOfHue(rgb: Uint8Array, [red, green, blue]: readonly [number, number, number]): number {
  const hueMax = Math.max(red, green, blue)
  let count = 0
  // This loop reads hundreds of millions of pixels, so it allocates nothing.
  for (let index = 0; index < rgb.length; index += 3) {
    const brightestChannel = Math.max(rgb[index] ?? 0, rgb[index + 1] ?? 0, rgb[index + 2] ?? 0)
    if (
      brightestChannel > 80 &&
      Math.abs((rgb[index] ?? 0) / brightestChannel - red / hueMax) < 0.17 &&
      Math.abs((rgb[index + 1] ?? 0) / brightestChannel - green / hueMax) < 0.17 &&
      Math.abs((rgb[index + 2] ?? 0) / brightestChannel - blue / hueMax) < 0.17
    )
      count++
  }
  return count / (rgb.length / 3)
}

/** Returns the offset of the pixel with the most red among `columns` pixels from `pixel` on. */
function brightestColumn(rgb: Uint8Array, pixel: number, columns: number): number {
  const reds = Array.from({ length: columns }, (_, column) => rgb[(pixel + column) * 3] ?? 0)
  return reds.indexOf(Math.max(...reds))
}

/** Returns the mean difference in red between a pixel and its right neighbor. */
function contrastOf(rgb: Uint8Array, width: number): number {
  let sum = 0
  for (let pixel = 0; pixel + 1 < rgb.length / 3; pixel++) {
    if (pixel % width !== width - 1) sum += Math.abs((rgb[pixel * 3] ?? 0) - (rgb[pixel * 3 + 3] ?? 0))
  }
  return sum / (rgb.length / 3)
}

function meanDifference(first: Uint8Array, second: Uint8Array): number {
  let sum = 0
  for (let index = 0; index < first.length; index++) sum += Math.abs((first[index] ?? 0) - (second[index] ?? 0))
  return sum / first.length
}

/** Returns a color of an endless pattern in which every spot looks different. */
function patternAt(x: number, y: number): [number, number, number] {
  const blobs = Math.sin(x / 7 + 3 * Math.sin(y / 23)) + Math.sin(y / 9 + 2 * Math.sin(x / 31)) + Math.sin((x + y) / 17)
  return [128 + 38 * blobs, 110 + 25 * blobs, 90 + x / 5]
}
