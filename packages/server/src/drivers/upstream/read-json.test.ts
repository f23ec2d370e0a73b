import { expect, it } from 'vitest'
import { jobIdIn, listedJobId } from './read-json.ts'

it.each(['job-1', 'projects/p/operations/1', 'a?b#c', 'a.b', '...', '任务', 4711])('%j is the id of a job', (id) => {
  expect(jobIdIn(id)).toBe(String(id))
})

it.each(['.', '..', 'operations/..', './1', 'a\nb', 'a\0', '\u0085', 'a\ud800', null, {}, ''])(
  '%j counts as a missing id of a job',
  (id) => {
    expect(jobIdIn(id)).toBe('')
    expect(() => listedJobId(id)).toThrow('a job without an id')
  },
)
