import { InvalidArgumentError, type Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'

/**
 * Value of a limit option. `none` stands for no limit, because commander treats null as a missing
 * value.
 */
export type Limit = number | 'none'

/** Parses a limit: a number above 0, or `none`. */
export function limitParser(unit: 'tasks' | 'credits' | 'requests' | 'tokens' | 'days'): (text: string) => Limit {
  return (text) => {
    if (text === 'none') return text
    const value = Number(text)
    if (value > 0 && Number.isFinite(value) && (unit === 'credits' || Number.isInteger(value))) return value
    throw new InvalidArgumentError(`It must be ${unit === 'credits' ? 'a number' : 'a whole number'} above 0, or none.`)
  }
}

/** Adds the options for the limits that a key and an account have. */
export function addLimitOptions(command: Command): Command {
  return command
    .option(
      '--requests-per-minute <number>',
      'maximum number of requests per minute for models priced by tokens, or `none` for no limit',
      limitParser('requests'),
    )
    .option(
      '--tokens-per-minute <number>',
      'maximum number of tokens per minute for models priced by tokens, or `none` for no limit',
      limitParser('tokens'),
    )
    .option(
      '--tasks-in-flight <number>',
      'maximum number of queued and processing tasks, or `none` for no limit',
      limitParser('tasks'),
    )
    .option(
      '--credits-in-flight <credits>',
      'maximum number of credits held by queued and processing tasks, or `none` for no limit',
      limitParser('credits'),
    )
}

/** Converts a limit to its value in the API. */
export function orNull(limit: Limit | undefined): number | null | undefined {
  return limit === 'none' ? null : limit
}

export function noChangeFailure(): CommandFailure {
  return new CommandFailure(exitCodes.usage, 'Nothing to change. Give at least one option; --help lists them.')
}
