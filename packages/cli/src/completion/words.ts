import type { Command } from 'commander'

/** A command as the completion scripts need it. */
export interface CommandWords {
  /** For example `tasks list`; empty for framegate itself. */
  path: string
  commands: { name: string; summary: string }[]
  options: OptionWords[]
  /** Allowed values of the argument. */
  argumentChoices: readonly string[]
}

export interface OptionWords {
  /** For example `-o` and `--output`. */
  flags: string[]
  summary: string
  value: 'none' | 'file' | 'other' | readonly string[]
}

const fileNames = new Set(['path', 'image', 'file', 'folder'])

/** Every command of the program, starting with framegate itself. */
export function wordsOf(command: Command, path = ''): CommandWords[] {
  const children = command.commands.map((child) => ({ child, path: `${path} ${child.name()}`.trim() }))
  return [
    {
      path,
      commands: command.commands.map((child) => ({ name: child.name(), summary: child.summary() || child.description() })),
      options: command
        .createHelp()
        .visibleOptions(command)
        .map(({ short, long, flags, description, argChoices }) => ({
          flags: [short, long].filter((flag) => flag !== undefined),
          summary: description,
          value: valueOf(flags, argChoices),
        })),
      argumentChoices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    },
    ...children.flatMap(({ child, path }) => wordsOf(child, path)),
  ]
}

function valueOf(flags: string, choices: readonly string[] | undefined): OptionWords['value'] {
  if (choices !== undefined) return choices
  const name = /<([^<>]+)>/.exec(flags)?.[1]
  if (name === undefined) return 'none'
  return fileNames.has(name) ? 'file' : 'other'
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
