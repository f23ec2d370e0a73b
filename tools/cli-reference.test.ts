import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createProgram } from '../packages/cli/src/program.ts'
import { examplesOf } from '../packages/cli/src/terminal/examples.ts'
import { cliReference, commandsBelow } from './cli-reference.ts'

const program = createProgram(() => {})

it('docs/cli.md describes the current commands (otherwise run: node tools/write-cli-reference.ts)', () => {
  expect(readFileSync(new URL('../docs/cli.md', import.meta.url), 'utf8')).toBe(cliReference(program))
})

it('every command has an example, and --json unless it has subcommands or prints a script or messages', () => {
  for (const command of commandsBelow(program)) {
    expect(examplesOf(command), command.name()).not.toEqual([])
    const isForPrograms = ['completion', 'mcp'].includes(command.name())
    if (command.commands.length > 0 || isForPrograms) continue
    expect(
      command.options.map(({ long }) => long),
      command.name(),
    ).toContain('--json')
  }
})
