import { describe, expect, it } from 'vitest'
import { pickSome } from '../../../test/long-run.ts'
import type { RenderPlan } from '../../render-plan.ts'
import { createFrameSource, memoryPagesFor } from '../../picture/create-frame-source.ts'
import { subjectWords } from '../prompt/subject-words.ts'

const size = { width: 256, height: 144 }
/** A square frame. Setting up its ground takes two thirds of the time that a wide frame needs. */
const square = { width: 144, height: 144 }
/** Negative prompt that excludes parts which take long to set up and are not subjects. */
const excludedParts = 'clouds, mist, plants'

/** Returns a function that renders the frame `index` of a video as packed RGB. */
function openVideo(prompt: string, overrides: Partial<RenderPlan> = {}): (index: number) => Uint8Array {
  const plan: RenderPlan = {
    ...size,
    frames: 48,
    prompt,
    negativePrompt: excludedParts,
    seed: 7,
    mode: 'text',
    images: [],
    overlay: null,
    ...overrides,
  }
  const pages = memoryPagesFor(plan)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const source = createFrameSource(plan, memory)
  return (index) => {
    const region = source.renderRgb(index)
    return new Uint8Array(memory.buffer, region.byteOffset, region.byteLength).slice()
  }
}

/** Returns the share of pixels that differ clearly. */
function changedShare(a: Uint8Array, b: Uint8Array): number {
  let count = 0
  for (let index = 0; index < a.length; index += 3) {
    const difference = [0, 1, 2].reduce(
      (sum, channel) => sum + Math.abs((a[index + channel] ?? 0) - (b[index + channel] ?? 0)),
      0,
    )
    if (difference > 36) count++
  }
  return count / (a.length / 3)
}

/** Returns the share of the image that a subject covers. */
function coveredShare(prompt: string, subject: string): number {
  const setting = 'in the desert at noon'
  const withoutSubject = openVideo(`${prompt} ${setting}`, { negativePrompt: `${excludedParts}, ${subject}` })(24)
  return changedShare(openVideo(`${prompt} ${setting}`)(24), withoutSubject)
}

/** Returns the mean red of the pixels that a subject covers. */
function meanRed(prompt: string, subject: string): number {
  const [withSubject, withoutSubject] = [
    openVideo(prompt)(24),
    openVideo(prompt, { negativePrompt: `${excludedParts}, ${subject}` })(24),
  ]
  let [sum, count] = [0, 0]
  for (let index = 0; index < withSubject.length; index += 3) {
    if (Math.abs((withSubject[index] ?? 0) - (withoutSubject[index] ?? 0)) < 12) continue
    sum += withSubject[index] ?? 0
    count++
  }
  return sum / count
}

/** Returns the mean column of the pixels that a wolf covers in the frame `index`. */
function wolfColumn(words: string, index: number): number {
  const prompt = `${words} in the desert at noon`
  const [withSubject, withoutSubject] = [
    openVideo(prompt)(index),
    openVideo(prompt, { negativePrompt: `${excludedParts}, wolf` })(index),
  ]
  let [sum, count] = [0, 0]
  for (let pixel = 0; pixel < withSubject.length; pixel += 3) {
    if (Math.abs((withSubject[pixel] ?? 0) - (withoutSubject[pixel] ?? 0)) < 30) continue
    sum += (pixel / 3) % size.width
    count++
  }
  return sum / count
}

/** Returns the distance that a wolf walks in a video, in pixels. */
function distanceWalked(words: string): number {
  return Math.abs(wolfColumn(words, 47) - wolfColumn(words, 1))
}

const kinds = Object.entries(subjectWords).map(([kind, { words }]) => [kind, words.split(' ')[0]?.replaceAll('_', ' ') ?? ''])

describe('subjects', () => {
  it.each(kinds)('the subject %s is drawn if the prompt names "%s", and absent if the negative prompt names it', (kind, word) => {
    // A meadow needs half the set-up time of a lake, but birds above a meadow are too far away.
    const prompt = `a ${kind === 'bird' ? 'lake' : 'meadow'} at noon, a ${word}`
    const still = { ...square, frames: 1 }
    const withoutSubject = openVideo(prompt, { ...still, negativePrompt: `${excludedParts}, ${word}s` })(0)
    expect(changedShare(openVideo(prompt, still)(0), withoutSubject)).toBeGreaterThan(0.004)
  })

  it.each([
    ['cat', 'tiger'],
    ['cat', 'lion'],
    ['bear', 'panda'],
    ['horse', 'zebra'],
    ['horse', 'unicorn'],
  ])('the subject %s looks different from %s', (subject, otherSubject) => {
    expect(
      changedShare(openVideo(`a ${subject} in a meadow`)(20), openVideo(`a ${otherSubject} in a meadow`)(20)),
    ).toBeGreaterThan(0.008)
  })

  it.each([
    ['a whale', 'a desert at noon'],
    ['jellyfish', 'a city at noon'],
    ['a dolphin', 'a meadow at noon'],
    ['a turtle', 'a beach at noon'],
    ['a boat', 'a desert at noon'],
    ['a bridge', 'a forest at noon'],
    ['a house', 'a river at noon'],
    ['a lighthouse', 'a waterfall at noon'],
    ['a horse', 'under water'],
  ])('the subject of "%s in %s" is visible', (subject, place) => {
    const prompt = `${subject} in ${place}`
    const withoutSubject = openVideo(prompt, { frames: 1, negativePrompt: `${excludedParts}, ${subject}` })(0)
    expect(changedShare(openVideo(prompt, { frames: 1 })(0), withoutSubject)).toBeGreaterThan(0.004)
  })

  it('seaweed covers only a small part of a swimming whale', () => {
    const prompt = 'a humpback whale in the deep blue sea, underwater'
    const bareSea = openVideo(prompt, { negativePrompt: `${excludedParts}, whale` })(24)
    const inBareSea = openVideo(prompt)(24)
    const amongSeaweed = openVideo(prompt, { negativePrompt: 'clouds, mist' })(24)
    const whaleShare = changedShare(bareSea, inBareSea)
    expect(changedShare(inBareSea, amongSeaweed)).toBeGreaterThan(0.01)
    let coveredCount = 0
    for (let index = 0; index < bareSea.length; index += 3) {
      const [seaPixel, whalePixel, seaweedPixel] = [bareSea, inBareSea, amongSeaweed].map((frame) =>
        frame.subarray(index, index + 3),
      )
      if (!seaPixel || !whalePixel || !seaweedPixel) continue
      if (changedShare(seaPixel, whalePixel) > 0 && changedShare(whalePixel, seaweedPixel) > 0) coveredCount++
    }
    expect(coveredCount / (bareSea.length / 3)).toBeLessThan(whaleShare / 4)
  })

  const subjectsWithinFrame = ['lighthouse', 'castle', 'balloon', 'dragon', 'deer', 'tower', 'elephant']
  const places = ['sea at noon', 'beach at noon', 'meadow at noon']
  it.each(subjectsWithinFrame.map((word, order) => ({ word, order })))(
    'the subject $word does not touch the upper edge or the sides of the frame',
    ({ word, order }) => {
      for (const [shapeIndex, shape] of [size, { width: 144, height: 256 }].entries()) {
        for (const place of pickSome(places, places.length, (order + shapeIndex) % places.length)) {
          const still = { ...shape, frames: 1 }
          const withSubject = openVideo(`a ${word}, ${place}`, still)(0)
          const withoutSubject = openVideo(`a ${word}, ${place}`, { ...still, negativePrompt: `${excludedParts}, ${word}` })(0)
          const { width } = shape
          let edgeCount = 0
          for (let index = 0; index < withSubject.length; index += 3) {
            const [x, y] = [(index / 3) % width, Math.floor(index / 3 / width)]
            // The shore below the subject's feet extends from side to side.
            if (y > shape.height * 0.85 || (y > 1 && x > 0 && x < width - 1)) continue
            if (Math.abs((withSubject[index] ?? 0) - (withoutSubject[index] ?? 0)) > 24) edgeCount++
          }
          expect(edgeCount, `${place}, ${width} wide`).toBeLessThan(3)
        }
      }
    },
  )

  it('two frames of a walking horse differ', () => {
    const viewAt = openVideo('a horse in the desert at noon', { frames: 120 })
    expect(changedShare(viewAt(60), viewAt(63))).toBeGreaterThan(0.004)
    expect(changedShare(viewAt(10), viewAt(110))).toBeGreaterThan(0.02)
  })

  it('a resting wolf moves less than half as far as a walking wolf, and a running wolf moves farther', () => {
    const [resting, walking, running] = [
      distanceWalked('a wolf resting'),
      distanceWalked('a wolf'),
      distanceWalked('a wolf running'),
    ]
    expect(resting).toBeLessThan(walking * 0.5)
    expect(running).toBeGreaterThan(walking * 1.2)
  })

  it('the number or the plural in the prompt sets how many subjects are drawn', () => {
    const [shareOfOne, shareOfThree] = [coveredShare('a wolf', 'wolf'), coveredShare('three wolves', 'wolf')]
    expect(shareOfThree).toBeGreaterThan(shareOfOne * 1.8)
    expect(coveredShare('wolves', 'wolf')).toBeGreaterThan(shareOfOne * 1.8)
  })

  it('a subject is dark at night and bright at noon', () => {
    expect(meanRed('a white horse at noon', 'horse')).toBeGreaterThan(meanRed('a white horse at night', 'horse') * 1.25)
  })
})
