import { expect, it } from 'vitest'
import { quote } from '../catalogue/describe-schema.ts'
import { truncate } from './truncate.ts'

it('a truncated text does not end with half of a character', () => {
  expect(['a🦊b', 'ab', ''].map((text) => truncate(text, 2))).toEqual(['a', 'ab', ''])
  expect(truncate('a🦊b', 3)).toBe('a🦊')
  expect(quote(`${'k'.repeat(59)}🦊`)).toBe(`"${'k'.repeat(59)}…"`)
})
