import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'

const imageNamePattern = /\.(png|jpe?g|webp|avif|gif)$/i

/** Returns the prompts of a command. `-` stands for the lines of stdin. */
export async function readPrompts(promptArguments: readonly string[]): Promise<string[]> {
  const prompts: string[] = []
  for (const prompt of promptArguments) {
    if (prompt === '-') prompts.push(...linesOf(await text(process.stdin)))
    else prompts.push(prompt)
  }
  // With `--reference a.png b.png`, commander treats `b.png` as a prompt, which is rejected here
  // before a task is charged.
  const image = prompts.find((prompt) => imageNamePattern.test(prompt) && existsSync(prompt))
  if (image !== undefined) {
    throw new CommandFailure(
      exitCodes.usage,
      `${image} is a file, not a prompt. Give images with options such as --reference ${image}.`,
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
