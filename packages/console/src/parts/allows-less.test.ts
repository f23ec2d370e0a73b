import { expect, it } from 'vitest'
import { allowsLess } from './allows-less.ts'

it.each([
  [null, 5],
  [6, 5],
  [null, ['imgA-5.0']],
  [['tasks:write', 'tasks:read'], ['tasks:read']],
  [['a.example.com'], []],
])('a change from %j to %j allows less', (before, after) => {
  expect(allowsLess(before, after)).toBe(true)
})

it.each([
  [5, 5],
  [5, 6],
  [5, null],
  [5, undefined],
  [['tasks:read'], ['tasks:write', 'tasks:read']],
  [['imgA-5.0'], null],
])('a change from %j to %j does not allow less', (before, after) => {
  expect(allowsLess(before, after)).toBe(false)
})
