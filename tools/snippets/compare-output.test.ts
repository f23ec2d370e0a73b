import { describe, expect, it } from 'vitest'
import { compareOutput } from './compare-output.ts'

const json = (documented: unknown, printed: unknown) =>
  compareOutput({ language: 'json', text: JSON.stringify(documented) }, JSON.stringify(printed)).slice(0, -1)
const text = (documented: string, printed: string) => compareOutput({ language: 'text', text: documented }, printed)

describe('compareOutput of JSON', () => {
  it('documented JSON equals the printed JSON except for times and the parts marked with …', () => {
    const printed = { id: 'task_0123', created: 1795290980, items: [{ a: 1 }, { a: 2 }], rest: { b: null, c: true } }
    expect(json(printed, printed)).toEqual([])
    expect(json({ ...printed, id: 'task_…', created: 1 }, printed)).toEqual([])
    expect(json({ ...printed, items: [{ a: 1 }, '…'], rest: { b: null, '…': '…' } }, printed)).toEqual([])
  })

  it.each([
    ['another value', { amount: 1 }, { amount: 2 }, '/amount: the page shows 1, the output has 2'],
    ['another type', { created: 1 }, { created: '1' }, '/created: the page shows 1, the output has "1"'],
    ['another beginning', { id: 'task_…' }, { id: 'job_1' }, '/id: the page shows "task_…", the output has "job_1"'],
    ['a field that was not printed', { a: 1 }, {}, '/a: on the page, but not printed'],
    ['a field that the page does not show', {}, { a: 1 }, '/a: printed, but not on the page'],
    ['a list that was printed with fewer items', [1, 2], [1], 'the whole output: the page shows [1,2], the output has [1]'],
    [
      'a list that was printed with fewer items than the page shows before …',
      [1, 2, '…'],
      [1],
      'the whole output: the page shows [1,2,"…"], the output has [1]',
    ],
    ['null', { a: {} }, { a: null }, '/a: the page shows {}, the output has null'],
  ])('compareOutput of JSON reports %s', (_name, documented, printed, error) => {
    expect(json(documented, printed)).toEqual([error])
  })

  it('compareOutput reports text that was printed instead of JSON', () => {
    expect(compareOutput({ language: 'json', text: '{}' }, 'curl: (7)')).toEqual([
      expect.stringContaining('the printed output is not JSON'),
    ])
  })
})

describe('compareOutput of text', () => {
  it('documented text equals the printed text except for the parts marked with …', () => {
    expect(
      text('HTTP/1.1 202 Accepted\n…\nretry-after: 5', 'HTTP/1.1 202 Accepted\r\na: 1\r\nb: 2\r\nretry-after: 5\r\n'),
    ).toEqual([])
    expect(text('one\n…\ntwo', 'one\ntwo')).toEqual([])
    expect(text('task_… (a+b)', 'task_0123 (a+b)')).toEqual([])
  })

  it.each([
    ['202 Accepted', '200 OK'],
    ['one', 'one\ntwo'],
    ['one\ntwo', 'one'],
    ['a…b', 'a\nb'],
    ['a.b', 'a-b'],
  ])('documented text %j differs from printed text %j', (documented, printed) => {
    expect(text(documented, printed)).toHaveLength(1)
  })
})
