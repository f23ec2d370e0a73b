// Writes docs/embedded-driver.md from the renderer's vocabulary:
//   node packages/renderer/tools/write-word-list.ts
import { writeFile } from 'node:fs/promises'
import { vocabulary } from '../src/scenes/prompt/vocabulary.ts'
import { wordList } from './word-list.ts'

await writeFile(new URL('../../../docs/embedded-driver.md', import.meta.url), wordList(vocabulary))
