import { expect, it } from 'vitest'
import { followPages } from './follow-pages.ts'
import { pages } from './pages.ts'

it('knows what each block of code is: it runs, or says why not', () => {
  expect(pages.flatMap(({ faults }) => faults)).toEqual([])
})

followPages(pages.filter(({ name }) => !name.startsWith('docs/guides/')))
