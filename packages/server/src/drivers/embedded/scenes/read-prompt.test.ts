import { describe, expect, it } from 'vitest'
import { readPrompt } from './read-prompt.ts'

describe('reading a prompt', () => {
  it('finds place, time, weather and subject', () => {
    const brief = readPrompt('A lone deer in a foggy forest at dawn')
    expect(brief).toMatchObject({ place: 'forest', time: 'dawn', weather: 'fog' })
    expect(brief.subjects).toMatchObject([{ kind: 'deer', count: 1 }])
  })

  it('shows a red fox in the snow', () => {
    const brief = readPrompt('a red fox in the snow')
    expect(brief).toMatchObject({ place: 'snowfield', weather: 'snow' })
    expect(brief.subjects).toMatchObject([{ kind: 'fox', count: 1 }])
    expect(brief.subjects[0]?.colour).toBeDefined()
    expect(brief.colours).toEqual([])
  })

  it('gives a colour to the subject right after it, and else to the picture', () => {
    const brief = readPrompt('a white horse, purple sky over the desert')
    expect(brief.subjects[0]?.colour).toEqual([240, 236, 230])
    expect(brief.colours).toEqual([[122, 79, 184]])
  })

  it('understands plurals and numbers', () => {
    expect(readPrompt('three wolves').subjects).toMatchObject([{ kind: 'wolf', count: 3 }])
    expect(readPrompt('two foxes').subjects).toMatchObject([{ kind: 'fox', count: 2 }])
  })

  it('understands common Chinese words', () => {
    const brief = readPrompt('雪地里的红色狐狸，黄昏')
    expect(brief).toMatchObject({ place: 'snowfield', time: 'dusk', weather: 'snow' })
    expect(brief.subjects[0]).toMatchObject({ kind: 'fox', colour: [200, 69, 42] })
    expect(readPrompt('夜晚的城市，下雨')).toMatchObject({ place: 'city', time: 'night', weather: 'rain' })
  })

  it.each([
    ['a sky full of stars', { place: 'lake', time: 'night' }],
    ['月光下的湖', { place: 'lake', time: 'night' }],
    ['northern lights over the mountains', { place: 'lake', time: 'night', sights: new Set(['aurora']) }],
    ['a thunderstorm over the ocean', { place: 'sea', weather: 'rain', sights: new Set(['lightning']) }],
    ['autumn forest', { place: 'forest', season: 'autumn' }],
    ['春天', { place: 'meadow', season: 'spring' }],
    ['winter', { place: 'snowfield', weather: 'snow' }],
    ['雨后的彩虹', { time: 'day', sights: new Set(['rainbow']) }],
    ['a red car driving through the desert', { place: 'desert', subjects: [{ kind: 'car', colour: [200, 69, 42] }] }],
    ['a whale in the ocean', { place: 'underwater', subjects: [{ kind: 'whale' }] }],
    ['two fish in a coral reef', { place: 'underwater', subjects: [{ kind: 'fish', count: 2 }], colours: [] }],
    ['pixel art of a castle', { style: 'pixel', subjects: [{ kind: 'castle' }] }],
    ['neon desert', { place: 'desert', style: 'neon', time: 'night' }],
    ['cyberpunk', { place: 'city', style: 'neon' }],
    ['a black and white car', { style: 'mono', subjects: [{ kind: 'car', colour: undefined }], colours: [] }],
    ['black-and-white lake', { style: 'mono', colours: [] }],
    ['a black & white photograph of a horse', { style: 'mono', subjects: [{ kind: 'horse', colour: undefined }] }],
    ['a black horse and a white horse', { style: undefined, subjects: [{ kind: 'horse', colour: [36, 34, 42] }] }],
    ['black, and white flowers', { style: undefined }],
    ['film noir city', { style: 'mono' }],
    ['水墨山水', { place: 'lake', style: 'ink' }],
    ['a field of red tulips', { place: 'meadow', sights: new Set(['flowers']) }],
    ['樱花树', { place: 'meadow', season: 'spring', subjects: [{ kind: 'tree' }] }],
    ['a spaceship', { place: 'space', subjects: [{ kind: 'rocket' }] }],
    ['雪地里的火车', { place: 'snowfield', subjects: [{ kind: 'train' }] }],
    ['a castle and a bridge', { subjects: [{ kind: 'castle' }, { kind: 'bridge' }] }],
    ['a street at golden hour', { place: 'city', time: 'dusk' }],
  ])('reads %j', (prompt, brief) => {
    expect(readPrompt(prompt)).toMatchObject(brief)
  })

  it('leaves out what the negative prompt names', () => {
    const brief = readPrompt('a fox and a boat on a rainy sea with birds', 'fox, rain, birds')
    expect(brief.subjects.map(({ kind }) => kind)).toEqual(['boat'])
    expect(brief.weather).toBe('clear')
    expect(brief.without).toContain('birds')
  })

  it.each(['', '   ', 'xyzzy plugh', '🦊🦊', '\u0000', '数学'])('makes an abstract piece of %j', (prompt) => {
    expect(readPrompt(prompt).place).toBe('abstract')
  })

  it('reads no more than the first thousands of characters', () => {
    expect(readPrompt(`${'x '.repeat(50_000)} a fox`).place).toBe('abstract')
  })

  it('is not changed by a negative prompt that names nothing of it', () => {
    expect(readPrompt('a lake')).toEqual(readPrompt('a lake', 'dinosaur'))
  })
})
