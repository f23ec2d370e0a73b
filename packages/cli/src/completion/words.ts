import type { Command } from 'commander'

/** Everything about a command that completion scripts need. */
export interface CommandWords {
  /** Names of the command and its parents, such as `tasks list`. Empty for framegate itself. */
  path: string
  commands: { name: string; summary: string }[]
  options: OptionWords[]
  /** Allowed values of the argument. */
  argumentChoices: readonly string[]
}

export interface OptionWords {
  /** Spellings of the option, such as `-o` and `--output`. */
  flags: string[]
  summary: string
  value: 'none' | 'file' | 'other' | readonly string[]
}

const filePlaceholders = new Set(['path', 'image', 'file', 'folder'])

/** Returns all commands of the program, the program itself first. */
export function listWords(command: Command, path = ''): CommandWords[] {
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
    ...children.flatMap(({ child, path }) => listWords(child, path)),
  ]
}

function valueOf(flags: string, choices: readonly string[] | undefined): OptionWords['value'] {
  if (choices !== undefined) return choices
  const name = /<([^<>]+)>/.exec(flags)?.[1]
  if (name === undefined) return 'none'
  return filePlaceholders.has(name) ? 'file' : 'other'
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
