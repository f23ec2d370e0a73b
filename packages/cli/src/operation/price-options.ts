import { InvalidArgumentError, Option, type Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { readTime } from '../terminal/time.ts'
import type { JsonOptions } from './call-and-show.ts'

/**
 * The brand or account that a price applies to. Without both, the price applies to all accounts.
 */
export interface OwnerOptions extends JsonOptions {
  brand?: string
  account?: string
}

export interface PriceOptions {
  unit: 'image' | 'second' | 'task'
  credits: Record<string, number>
  audioCredits?: number
  minimumCredits?: number
  inputSecondCredits?: Record<string, number>
  videoFactor?: number
  inputImageCredits?: number
  inputImagesFree?: number
  minimumTaskCredits?: number
  roundTo?: number
  round?: 'up' | 'nearest' | 'down'
}

export function addOwnerOptions(command: Command, descriptionPrefix: string): Command {
  return command
    .addOption(new Option('--brand <id>', `${descriptionPrefix} the accounts of a brand`).conflicts('account'))
    .option('--account <id>', `${descriptionPrefix} one account`)
}

export function addEffectiveOption(command: Command): Command {
  return command.option(
    '--effective <time>',
    'time at which the change takes effect, such as 2027-01-01 (default: now; a past time has the same effect)',
    (text) => readTime(text),
  )
}

export function addPriceOptions(command: Command): Command {
  return command
    .addOption(new Option('--unit <what>', 'unit of the price').choices(['image', 'second', 'task']).makeOptionMandatory())
    .addOption(
      new Option(
        '--credits <[resolution=]credits>',
        'price per unit, for one resolution or for all others; may be given several times',
      )
        .argParser(creditsByResolution)
        .makeOptionMandatory(),
    )
    .option('--audio-credits <credits>', 'surcharge per second of video with audio', parseCredits)
    .option('--minimum-credits <credits>', 'minimum price of a video', parseCredits)
    .option(
      '--input-second-credits <[resolution=]credits>',
      'price per second of input video, for one resolution or for all others; may be given several times',
      creditsByResolution,
    )
    .option('--video-factor <number>', 'multiplier of the price for requests with an input video, such as 0.6', parseNonNegative)
    .option('--input-image-credits <credits>', 'price of each input image', parseCredits)
    .option(
      '--input-images-free <count>',
      'number of input images included in the price, before `--input-image-credits` applies',
      parseNonNegative,
    )
    .option('--minimum-task-credits <credits>', 'minimum price of a task', parseCredits)
    .option('--round-to <credits>', 'round prices of tasks to multiples of this amount', parseCredits)
    .addOption(new Option('--round <direction>', 'direction of rounding').choices(['up', 'nearest', 'down']))
}

/** Converts the options to a price in the API's format. */
export function readPrice({
  unit,
  credits,
  audioCredits,
  minimumCredits,
  roundTo,
  round,
  ...inputOptions
}: PriceOptions): object {
  if ((roundTo === undefined) !== (round === undefined)) {
    throw new CommandFailure(exitCodes.usage, 'Give --round-to and --round together, such as --round-to 0.01 --round up.')
  }
  return {
    unit,
    credits,
    ...(audioCredits !== undefined && { audio_credits: audioCredits }),
    ...(minimumCredits !== undefined && { minimum_credits: minimumCredits }),
    ...(inputOptions.inputSecondCredits !== undefined && { input_second_credits: inputOptions.inputSecondCredits }),
    ...(inputOptions.videoFactor !== undefined && { video_factor: inputOptions.videoFactor }),
    ...(inputOptions.inputImageCredits !== undefined && { input_image_credits: inputOptions.inputImageCredits }),
    ...(inputOptions.inputImagesFree !== undefined && { input_images_free: inputOptions.inputImagesFree }),
    ...(inputOptions.minimumTaskCredits !== undefined && { minimum_task_credits: inputOptions.minimumTaskCredits }),
    ...(roundTo !== undefined && { rounding: { to: roundTo, direction: round } }),
  }
}

function creditsByResolution(text: string, previousCredits: Record<string, number> = {}): Record<string, number> {
  const separatorIndex = text.lastIndexOf('=')
  const resolution = separatorIndex === -1 ? '*' : text.slice(0, separatorIndex)
  if (resolution in previousCredits) throw new InvalidArgumentError(`The resolution ${resolution} is given twice.`)
  return { ...previousCredits, [resolution]: readCredits(text.slice(separatorIndex + 1), '0.05 or 720p=0.05') }
}

function parseNonNegative(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value)) return value
  throw new InvalidArgumentError('It must be a number of at least 0, such as 0.6.')
}

function parseCredits(text: string): number {
  return readCredits(text, '0.05')
}

function readCredits(text: string, example: string): number {
  const value = Number(text)
  const isExact = Number(value.toFixed(6)) === value
  if (text.trim() !== '' && value >= 0 && Number.isFinite(value) && isExact) return value
  throw new InvalidArgumentError(`It must be a number of credits with at most six decimals, such as ${example}.`)
}
