import type { Command } from 'commander'

const examplesByCommand = new WeakMap<Command, readonly string[]>()
const notesByCommand = new WeakMap<Command, string>()

/** Adds examples and notes to the end of a command's help and to docs/cli.md. */
export function addExamples(command: Command, examples: readonly string[], notes = ''): Command {
  examplesByCommand.set(command, examples)
  notesByCommand.set(command, notes)
  const shownNotes = notes === '' ? '' : `\n\n${notes}`
  return command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}${shownNotes}`)
}

export function examplesOf(command: Command): readonly string[] {
  return examplesByCommand.get(command) ?? []
}

export function notesOf(command: Command): string {
  return notesByCommand.get(command) ?? ''
}
