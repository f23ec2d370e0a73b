import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLongRun } from '../../test/long-run.ts'
import { readPrompt } from '../scenes/prompt/read-prompt.ts'
import { subjectWords } from '../scenes/prompt/subject-words.ts'
import { enhancePrompt } from './enhance-prompt.ts'
import { readWording } from './wording.ts'
import { writeStoryboard } from './write-storyboard.ts'

const numRuns = isLongRun ? 5_000 : 150

const names = Object.values(subjectWords).map(({ words }) => (words.split(' ')[0] ?? '').replaceAll('_', ' '))
const prompts = fc
  .record({
    count: fc.constantFrom('a', 'two', 'red', 'no', ''),
    name: fc.constantFrom(...names),
    end: fc.constantFrom(
      '',
      ' at night',
      ' in the rain',
      ' by the sea',
      ', watercolor',
      '.',
      '!',
      ' "OPEN"',
      ' 雪',
      ' in autumn',
      ' close-up',
    ),
  })
  .map(({ count, name, end }) => `${count} ${name}${end}`.trim())

function timesOf(idea: string): string[] {
  return writeStoryboard(idea, 4)
    .split('\n')
    .map((line) => readPrompt(line).time)
}

describe('enhancePrompt', () => {
  it('an enhanced prompt of a fox names the place, the season, the light, the framing and the style', () => {
    expect(enhancePrompt('a fox')).toBe(
      'a fox in an old forest, in early autumn, in the clear light of day. Full-length framing with a soft background. ' +
        'Shot on film, with natural color and fine detail.',
    )
    expect(readPrompt(enhancePrompt('a fox'))).toMatchObject({ place: 'forest', season: 'autumn', time: 'day', style: 'film' })
  })

  it('an enhanced prompt begins with the prompt, describes its scene, and is the same each time', () => {
    fc.assert(
      fc.property(prompts, fc.boolean(), (prompt, isVideo) => {
        const enhanced = enhancePrompt(prompt, { isVideo })
        const [wordingBefore, wordingAfter] = [readWording(prompt), readWording(enhanced)]
        expect(enhanced.startsWith(wordingBefore.text.replace(/[.!]$/, ''))).toBe(true)
        expect(enhanced).toMatch(/[.!?]$/)
        expect(enhanced).not.toMatch(/ {2}|\.\.|,,|, ,| [.,]/)
        expect(enhancePrompt(prompt, { isVideo })).toBe(enhanced)
        if (wordingBefore.named.size === 0) return
        const { place, weather, subjects, writing } = wordingBefore.brief
        expect(wordingAfter.brief).toMatchObject({ place, weather, subjects })
        expect(wordingAfter.brief.writing).toEqual(writing)
        if (wordingBefore.named.has('time')) expect(wordingAfter.brief.time).toBe(wordingBefore.brief.time)
      }),
      { numRuns },
    )
  })

  it('an enhanced prompt of every subject names a place and a style', () => {
    // A chef implies a kitchen, unless the prompt names another room.
    for (const name of names.filter((name) => readPrompt(`a ${name}`).settings.size === 0)) {
      const { named } = readWording(enhancePrompt(`a ${name}`))
      expect([name, named.has('place'), named.has('style')]).toEqual([name, true, true])
    }
  })

  it('a prompt for a video has a camera move, unless the prompt has words for the camera', () => {
    expect(enhancePrompt('a fox', { isVideo: true })).toContain('the camera ')
    expect(enhancePrompt('a fox', { isVideo: false })).not.toContain('the camera ')
    expect(enhancePrompt('a fox, tracking shot', { isVideo: true })).not.toContain('the camera ')
  })

  it('an enhanced prompt ends with the requested style, and adds no style if the prompt already names one', () => {
    expect(enhancePrompt('a fox', { style: ' film  noir ' })).toMatch(/ In film noir style\.$/)
    expect(enhancePrompt('a fox in watercolor')).not.toContain('film')
  })

  it.each(['', ' ', '...', '"', '💡', 'a'.repeat(5000), '狐狸'])('the prompt %j is enhanced without an error', (prompt) => {
    expect(enhancePrompt(prompt)).not.toBe('')
  })
})

describe('writeStoryboard', () => {
  it('a storyboard has a line for each shot, with its number, seconds and the idea', () => {
    fc.assert(
      fc.property(prompts, fc.integer({ min: 2, max: 20 }), (prompt, shots) => {
        const lines = writeStoryboard(prompt, shots).split('\n')
        expect(lines).toHaveLength(shots)
        for (const [index, line] of lines.entries()) {
          const [, number, seconds] = /^(\d+)\. \((\d+) s\) /.exec(line) ?? []
          expect(Number(number)).toBe(index + 1)
          expect(Number(seconds)).toBeGreaterThanOrEqual(3)
          expect(Number(seconds)).toBeLessThanOrEqual(8)
          expect(line).toContain(prompt.replace(/\.$/, ''))
        }
      }),
      { numRuns },
    )
  })

  it('the light of a storyboard follows the day, unless the idea names a time', () => {
    expect(timesOf('a fox')).toEqual(['dawn', 'day', 'dusk', 'night'])
    expect(timesOf('a day in the life of a fox')).toEqual(['dawn', 'day', 'dusk', 'night'])
    expect(new Set(timesOf('a fox at night'))).toEqual(new Set(['night']))
    expect(new Set(timesOf('a fox on the last day at night'))).toEqual(new Set(['night']))
  })
})
