import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'

const pictureName = /\.(png|jpe?g|webp|avif|gif)$/i

/** The prompts of a command. `-` stands for the lines of stdin. */
export async function readPrompts(given: readonly string[]): Promise<string[]> {
  const prompts: string[] = []
  for (const prompt of given) {
    if (prompt === '-') prompts.push(...linesOf(await text(process.stdin)))
    else prompts.push(prompt)
  }
  // Otherwise `--reference a.png b.png` would pay for an image of the words "b.png".
  const picture = prompts.find((prompt) => pictureName.test(prompt) && existsSync(prompt))
  if (picture !== undefined) {
    throw new CommandFailure(
      exitCodes.usage,
      `${picture} is a file, not a prompt. Give images with options such as --reference ${picture}.`,
    )
  }
  if (prompts.length > 0) return prompts
  throw new CommandFailure(exitCodes.usage, 'No prompt was given on stdin. Write one prompt per line.')
}

function linesOf(input: string): string[] {
  return input
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
