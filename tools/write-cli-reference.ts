// Writes docs/cli.md from the commands: node tools/write-cli-reference.ts
import { writeFile } from 'node:fs/promises'
import { createProgram } from '../packages/cli/src/program.ts'
import { cliReference } from './cli-reference.ts'

await writeFile(new URL('../docs/cli.md', import.meta.url), cliReference(createProgram(() => {})))
