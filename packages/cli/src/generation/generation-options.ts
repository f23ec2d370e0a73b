import { InvalidArgumentError, type Command } from 'commander'
import { defaultImageModel, defaultVideoModel } from './default-models.ts'

/** Options of a generation besides the prompt, as commander parses them. */
export interface GenerationOptions {
  model?: string
  seconds?: number
  aspectRatio?: string
  resolution?: string
  seed?: number
  negativePrompt?: string
  watermark?: boolean
  audio?: boolean
  reference?: string[]
  firstFrame?: string
  lastFrame?: string
  output?: string
}

export function addGenerationOptions(command: Command): Command {
  return command
    .option('--model <id>', `Model ID (default: ${defaultVideoModel}, or ${defaultImageModel} when -o names a picture)`)
    .option('--seconds <number>', 'length of the video', number)
    .option('--aspect-ratio <ratio>', 'width to height, such as 16:9')
    .option('--resolution <name>', 'such as 720p, or 1K for pictures')
    .option('--seed <number>', 'the same request with the same seed aims at the same result', number)
    .option('--negative-prompt <words>', 'what should not appear')
    .option('--watermark', "add the provider's or platform's watermark")
    .option('--no-watermark', 'add none')
    .option('--audio', 'make a sound track')
    .option('--no-audio', 'make none')
    .option('--reference <picture>', 'picture of what should appear: a URL, a file or asset:ID; may be repeated', collect)
    .option('--first-frame <picture>', 'picture that the video starts from: a URL, a file or asset:ID')
    .option('--last-frame <picture>', 'picture that the video ends with: a URL, a file or asset:ID')
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

function number(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new InvalidArgumentError('It must be a number.')
}

function collect(text: string, before: string[] = []): string[] {
  return [...before, text]
}
