import { Command, type ErrorOptions } from 'commander'
import { nearestOptions } from './nearest-options.ts'

/** Names of the same action. Each command has one of them. */
const synonyms: readonly (readonly string[])[] = [
  ['list', 'ls', 'all'],
  ['get', 'show', 'view', 'info', 'describe', 'status'],
  ['create', 'add', 'new', 'set'],
  ['update', 'edit', 'change', 'set'],
  ['delete', 'remove', 'rm', 'erase', 'revoke'],
  ['cancel', 'stop', 'abort'],
]

/**
 * A command whose error for an unknown option suggests similar options, and for an unknown command
 * suggests commands with a similar name or meaning.
 */
export class FramegateCommand extends Command {
  override createCommand(name?: string): FramegateCommand {
    return new FramegateCommand(name)
  }

  override error(message: string, errorOptions?: ErrorOptions): never {
    if (errorOptions?.code === 'commander.unknownCommand') {
      // Commander itself suggests commands with a similar name, on a second line.
      const [problem = '', ...similar] = message.split('\n(Did you mean')
      const synonym = this.#synonymOf(/'(.*)'/s.exec(problem)?.[1] ?? '')
      if (synonym !== undefined) return super.error(`${problem}\n(Did you mean ${pathOf(this)} ${synonym}?)`, errorOptions)
      return super.error(similar.length > 0 ? message : `${message}\n(${pathOf(this)} --help shows the commands.)`, errorOptions)
    }
    if (errorOptions?.code !== 'commander.unknownOption') return super.error(message, errorOptions)
    const flag = /'(-[^'=]*)/.exec(message)?.[1] ?? ''
    return super.error(`error: unknown option '${flag}'\n${this.#suggestionFor(flag)}`, errorOptions)
  }

  /** Returns the name of the command with the same meaning, if there is one. */
  #synonymOf(unknownName: string): string | undefined {
    const names = new Set(this.commands.map((command) => command.name()))
    return synonyms
      .filter((group) => group.includes(unknownName))
      .flat()
      .find((name) => names.has(name))
  }

  #suggestionFor(flag: string): string {
    const visibleOptions = this.createHelp().visibleOptions(this)
    const nearest = nearestOptions(flag, visibleOptions)
    if (nearest.length === 0) return `(${pathOf(this)} --help shows the options.)`
    const names = nearest.map(({ long }) => long).join(', ')
    const meanings = nearest.map(({ flags, description }) => `  ${flags}  ${description}`)
    return [`(Did you mean ${nearest.length === 1 ? '' : 'one of '}${names}?)`, ...meanings].join('\n')
  }
}

/** Returns the command as the user types it, such as `framegate tasks list`. */
function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`
}
