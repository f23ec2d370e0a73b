// Writes docs/embedded-driver.md from the embedded driver's vocabulary: node
// tools/write-word-list.ts
import { writeFile } from 'node:fs/promises'
import { vocabulary } from '../packages/server/src/drivers/embedded/scenes/vocabulary.ts'
import { wordList } from './word-list.ts'

await writeFile(new URL('../docs/embedded-driver.md', import.meta.url), wordList(vocabulary))
