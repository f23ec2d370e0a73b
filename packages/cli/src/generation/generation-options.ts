import { InvalidArgumentError, type Command } from 'commander'
import { namedJson, parseNumber } from '../operation/named-values.ts'
import { defaultImageModel, defaultVideoModel } from './default-models.ts'

/** All options of a generation, as parsed by commander. */
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
  improvePrompt?: true
  param?: Record<string, unknown>
  output?: string
}

export function addGenerationOptions(command: Command): Command {
  return command
    .option('--model <id>', `Model ID (default: ${defaultVideoModel}, or ${defaultImageModel} if \`-o\` names an image)`)
    .option('--seconds <number>', 'length of the video, in seconds', parseNumber)
    .option('--aspect-ratio <ratio>', 'width to height, such as 16:9')
    .option('--resolution <name>', 'resolution such as 720p, or 1K for images')
    .option('--seed <number>', 'seed; repeating a request with the same seed should give the same result', parseNumber)
    .option('--negative-prompt <words>', 'content to avoid in the result')
    .option('--watermark', 'add a watermark of the provider or of the brand that serves the request')
    .option('--no-watermark', 'add no watermark')
    .option('--audio', 'generate an audio track')
    .option('--no-audio', 'generate no audio track')
    .option('--reference <image>', 'reference image: a URL, a file or `asset:ID`; may be given several times', collect)
    .option('--first-frame <image>', 'first frame of the video: a URL, a file or `asset:ID`')
    .option('--last-frame <image>', 'last frame of the video: a URL, a file or `asset:ID`')
    .option('--improve-prompt', 'improve the prompt first, at the price of `text-prompt-enhance`')
    .option(
      '--param <name=value>',
      'any parameter of the model, as JSON or text, such as `guidance=4`; may be given several times',
      namedJson,
    )
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isInteger(value) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

function collect(text: string, previousValues: string[] = []): string[] {
  return [...previousValues, text]
}
