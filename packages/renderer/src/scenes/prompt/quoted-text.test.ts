import { describe, expect, it } from 'vitest'
import { readPrompt } from './read-prompt.ts'
import { readQuotedText, writingCharactersMax } from './quoted-text.ts'

describe('readQuotedText', () => {
  it.each([
    ['a dark alley with a sign "OPEN LATE"', 'OPEN LATE'],
    ['a bakery named “Brot & Butter”', 'Brot & Butter'],
    ['ein Café mit dem Schild „Grüß Gott“', 'Grüß Gott'],
    ['une affiche « Été à Nîmes »', 'Été à Nîmes'],
    ["a shop sign reading 'Night Owl Books'", 'Night Owl Books'],
    ['a banner ‘Žluťoučký kůň’ in a street', 'Žluťoučký kůň'],
    ['Title card: "The Last Summer" over a calm sea', 'The Last Summer'],
    ['a poster "ŁÓDŹ  2026"', 'ŁÓDŹ 2026'],
    ['a sign "Hello 世界"', 'Hello'],
  ])('the quoted text of %j is %j', (prompt, text) => {
    expect(readQuotedText(prompt).writing?.text).toBe(text)
  })

  it.each([
    ["bird's-eye view of the city's towers"],
    ['a 6" pipe beside an 8" board'],
    ['in the style of "Blade Runner", a street'],
    [`a sign "${'long '.repeat(20)}"`],
    ['a sign "世界"'],
    ['an unclosed "quotation'],
    ['"a fox beside a lake"'],
    ['a sign ""'],
  ])('no quoted text is found in %j', (prompt) => {
    expect(readQuotedText(prompt).writing).toBeUndefined()
  })

  it.each([
    ['a neon sign that says "OPEN"', 'neon'],
    ['a wooden board "KEEP OUT" in a forest', 'sign'],
    ['a shop sign reading "Books"', 'sign'],
    ['Title card: "The End"', 'title'],
    ['a logo for a roaster called "Ember"', 'title'],
    ['a man walks and says: "We have to go"', 'caption'],
    ['a lake, "Tomorrow"', 'title'],
  ])('the quoted text of %j is drawn as a %s', (prompt, form) => {
    expect(readQuotedText(prompt).writing?.form).toBe(form)
  })

  it('the words of a quoted text do not change the scene', () => {
    expect(readPrompt('a sign "Two Foxes" by a lake at noon')).toMatchObject({ place: 'lake', subjects: [], time: 'day' })
    expect(readPrompt('a logo called "Ember"').particles).toEqual(new Set())
  })

  it('a quoted text is read as a prompt if the prompt has no other words or the text is too long to be drawn', () => {
    expect(readPrompt('"a fox beside a lake"')).toMatchObject({ place: 'lake', subjects: [{ kind: 'fox' }] })
    const longPrompt = `he reads "${'a fox and a lake and '.repeat(3)}"`
    expect(longPrompt.length).toBeGreaterThan(writingCharactersMax)
    expect(readPrompt(longPrompt).subjects).toMatchObject([{ kind: 'fox' }])
  })
})
