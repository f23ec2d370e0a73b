import { expect, it } from 'vitest'
import { idRangeOf } from './id-range.ts'

it.each([
  ['task_0197c0d1', 0x0197c0d10000, 0x0197c0d1ffff],
  ['0197c0d1abcd…', 0x0197c0d1abcd, 0x0197c0d1abcd],
  ['0197c0d1abcd7001', 0x0197c0d1abcd, 0x0197c0d1abcd],
])('the start of an id %s stands for the times at which such tasks were accepted', (text, fromMs, toMs) => {
  const range = idRangeOf(text)
  expect(range?.start).toBe(`task_${text.replaceAll(/task_|…/g, '')}`)
  expect(range?.fromSeconds).toBeLessThanOrEqual(fromMs / 1000)
  expect(range?.toSeconds).toBeGreaterThan(toMs / 1000)
})

it.each(['', 'task_', 'task_0197', 'a red fox', 'imgA-5.0'])('%j is not the start of an id', (text) => {
  expect(idRangeOf(text)).toBe(null)
})
