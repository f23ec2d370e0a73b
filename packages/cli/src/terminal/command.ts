import { Command, type ErrorOptions } from 'commander'
import { nearestOptions } from './nearest-options.ts'

/** A command whose error for an unknown option suggests similar options. */
export class FramegateCommand extends Command {
  override createCommand(name?: string): FramegateCommand {
    return new FramegateCommand(name)
  }

  override error(message: string, errorOptions?: ErrorOptions): never {
    if (errorOptions?.code !== 'commander.unknownOption') return super.error(message, errorOptions)
    const flag = /'(-[^'=]*)/.exec(message)?.[1] ?? ''
    return super.error(`error: unknown option '${flag}'\n${this.#suggestionFor(flag)}`, errorOptions)
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
