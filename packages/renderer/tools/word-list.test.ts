import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { vocabulary } from '../packages/server/src/drivers/embedded/scenes/vocabulary.ts'
import { wordList } from './word-list.ts'

it('docs/embedded-driver.md lists every word that the driver knows (otherwise: node tools/write-word-list.ts)', () => {
  expect(readFileSync(new URL('../docs/embedded-driver.md', import.meta.url), 'utf8')).toBe(wordList(vocabulary))
})
