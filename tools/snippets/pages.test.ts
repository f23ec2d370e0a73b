import { expect, it } from 'vitest'
import { followPages } from './follow-pages.ts'
import { pages } from './pages.ts'

it('each code block of the pages runs, or has a comment with the reason why it does not', () => {
  expect(pages.flatMap(({ errors }) => errors)).toEqual([])
})

followPages(pages)
