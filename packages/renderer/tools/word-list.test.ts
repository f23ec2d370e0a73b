import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { vocabulary } from '../src/scenes/prompt/vocabulary.ts'
import { wordList } from './word-list.ts'

it('docs/embedded-driver.md lists every word that the driver knows (otherwise run: node packages/renderer/tools/write-word-list.ts)', () => {
  expect(readFileSync(new URL('../../../docs/embedded-driver.md', import.meta.url), 'utf8')).toBe(wordList(vocabulary))
})
