import { describe, expect, it } from 'vitest'
import type { RenderPlan } from '../../render-plan.ts'
import { createFrameSource, memoryPagesFor } from '../../picture/create-frame-source.ts'
import { subjectWords } from '../prompt/subject-words.ts'

const size = { width: 256, height: 144 }
/** Its ground is set up in two thirds of the time. */
const square = { width: 144, height: 144 }
/** Parts of a scene that take long to set up and are no subjects. */
const bare = 'clouds, mist, plants'

/** Luma and color of one frame of a video. */
function video(prompt: string, change: Partial<RenderPlan> = {}): (index: number) => Uint8Array {
  const plan: RenderPlan = {
    ...size,
    frames: 48,
    prompt,
    negativePrompt: bare,
    seed: 7,
    mode: 'text',
    images: [],
    overlay: null,
    ...change,
  }
  const pages = memoryPagesFor(plan)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const source = createFrameSource(plan, memory)
  return (index) => {
    const region = source.renderRgb(index)
    return new Uint8Array(memory.buffer, region.byteOffset, region.byteLength).slice()
  }
}

/** Share of pixels that are clearly not the same. */
function changed(a: Uint8Array, b: Uint8Array): number {
  let count = 0
  for (let at = 0; at < a.length; at += 3) {
    const difference = [0, 1, 2].reduce((sum, channel) => sum + Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0)), 0)
    if (difference > 36) count++
  }
  return count / (a.length / 3)
}

/** Share of the picture that a subject takes. */
function shownOf(prompt: string, subject: string): number {
  const place = 'in the desert at noon'
  const without = video(`${prompt} ${place}`, { negativePrompt: `${bare}, ${subject}` })(24)
  return changed(video(`${prompt} ${place}`)(24), without)
}

/** Mean red of the pixels that a subject takes. */
function lightOf(prompt: string, subject: string): number {
  const [shown, without] = [video(prompt)(24), video(prompt, { negativePrompt: `${bare}, ${subject}` })(24)]
  let [sum, count] = [0, 0]
  for (let at = 0; at < shown.length; at += 3) {
    if (Math.abs((shown[at] ?? 0) - (without[at] ?? 0)) < 12) continue
    sum += shown[at] ?? 0
    count++
  }
  return sum / count
}

/** The middle column of a wolf at a frame. */
function middleOf(words: string, index: number): number {
  const prompt = `${words} in the desert at noon`
  const [shown, without] = [video(prompt)(index), video(prompt, { negativePrompt: `${bare}, wolf` })(index)]
  let [sum, count] = [0, 0]
  for (let at = 0; at < shown.length; at += 3) {
    if (Math.abs((shown[at] ?? 0) - (without[at] ?? 0)) < 30) continue
    sum += (at / 3) % size.width
    count++
  }
  return sum / count
}

/** How far a wolf gets in a video. */
function wayOf(words: string): number {
  return Math.abs(middleOf(words, 47) - middleOf(words, 1))
}

const kinds = Object.entries(subjectWords).map(([kind, { words }]) => [kind, words.split(' ')[0]?.replaceAll('_', ' ') ?? ''])

describe('subjects', () => {
  it.each(kinds)('the subject %s is drawn if the prompt names "%s", and absent if the negative prompt does', (kind, word) => {
    // A meadow is set up in half of the time that a lake needs. Above it birds are far away.
    const prompt = `a ${kind === 'bird' ? 'lake' : 'meadow'} at noon, a ${word}`
    const still = { ...square, frames: 1 }
    const without = video(prompt, { ...still, negativePrompt: `${bare}, ${word}s` })(0)
    expect(changed(video(prompt, still)(0), without)).toBeGreaterThan(0.004)
  })

  it.each([
    ['cat', 'tiger'],
    ['cat', 'lion'],
    ['bear', 'panda'],
    ['horse', 'zebra'],
    ['horse', 'unicorn'],
  ])('the subject %s looks different from %s', (one, other) => {
    expect(changed(video(`a ${one} in a meadow`)(20), video(`a ${other} in a meadow`)(20))).toBeGreaterThan(0.008)
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
    const without = video(prompt, { frames: 1, negativePrompt: `${bare}, ${subject}` })(0)
    expect(changed(video(prompt, { frames: 1 })(0), without)).toBeGreaterThan(0.004)
  })

  it('seaweed leaves most of a swimming whale uncovered', () => {
    const prompt = 'a humpback whale in the deep blue sea, underwater'
    const bareSea = video(prompt, { negativePrompt: `${bare}, whale` })(24)
    const inBareSea = video(prompt)(24)
    const amongWeed = video(prompt, { negativePrompt: 'clouds, mist' })(24)
    const whale = changed(bareSea, inBareSea)
    expect(changed(inBareSea, amongWeed)).toBeGreaterThan(0.01)
    let covered = 0
    for (let at = 0; at < bareSea.length; at += 3) {
      const [pixel, shown, grown] = [bareSea, inBareSea, amongWeed].map((frame) => frame.subarray(at, at + 3))
      if (pixel && shown && grown && changed(pixel, shown) > 0 && changed(shown, grown) > 0) covered++
    }
    expect(covered / (bareSea.length / 3)).toBeLessThan(whale / 4)
  })

  it.each(['lighthouse', 'castle', 'balloon', 'dragon', 'deer', 'tower', 'elephant'])(
    'the subject %s stays clear of the upper edge and the sides of the frame',
    (word) => {
      for (const place of ['sea at noon', 'beach at noon', 'meadow at noon']) {
        for (const shape of [size, { width: 144, height: 256 }]) {
          const still = { ...shape, frames: 1 }
          const shown = video(`a ${word}, ${place}`, still)(0)
          const without = video(`a ${word}, ${place}`, { ...still, negativePrompt: `${bare}, ${word}` })(0)
          const { width } = shape
          let atEdge = 0
          for (let at = 0; at < shown.length; at += 3) {
            const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)]
            // The shore under its feet goes from side to side.
            if (y > shape.height * 0.85 || (y > 1 && x > 0 && x < width - 1)) continue
            if (Math.abs((shown[at] ?? 0) - (without[at] ?? 0)) > 24) atEdge++
          }
          expect(atEdge, `${place}, ${width} wide`).toBeLessThan(3)
        }
      }
    },
  )

  it('a walking horse moves its legs against its body', () => {
    const at = video('a horse in the desert at noon', { frames: 120 })
    expect(changed(at(60), at(63))).toBeGreaterThan(0.004)
    const [first, later] = [at(10), at(110)]
    expect(changed(first, later)).toBeGreaterThan(0.02)
  })

  it('a resting wolf hardly moves, and a running wolf gets farther than a walking one', () => {
    const [resting, walking, running] = [wayOf('a wolf resting'), wayOf('a wolf'), wayOf('a wolf running')]
    expect(resting).toBeLessThan(walking * 0.5)
    expect(running).toBeGreaterThan(walking * 1.2)
  })

  it('a subject is drawn as often as the prompt says', () => {
    const [one, three] = [shownOf('a wolf', 'wolf'), shownOf('three wolves', 'wolf')]
    expect(three).toBeGreaterThan(one * 1.8)
    expect(shownOf('wolves', 'wolf')).toBeGreaterThan(one * 1.8)
  })

  it('a subject is dark at night and bright at noon', () => {
    expect(lightOf('a white horse at noon', 'horse')).toBeGreaterThan(lightOf('a white horse at night', 'horse') * 1.25)
  })
})
