import { basename } from 'node:path'
import { FramegateError, type CompletedTask, type Framegate } from '@framegate/sdk'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { alreadyThere, outputPath, type OutputPlace } from './output-file.ts'

export interface SaveOptions {
  place: OutputPlace
  prompt: string
  signal: AbortSignal
  say: (words: string) => void
}

/**
 * Streams the result to a temporary name in the same folder and renames it when it is complete.
 * Returns its path.
 */
export async function saveResult(client: Framegate, task: CompletedTask, options: SaveOptions): Promise<string> {
  const { place, prompt, signal, say } = options
  if (task.result_url === undefined) {
    throw new CommandFailure(exitCodes.failed, `The task ${task.id} is completed, but its result is no longer kept.`)
  }
  try {
    const download = await client.tasks.download(task, {
      signal,
      onRetry: ({ error }) => say(`${error.message} The download resumes where it broke.`),
    })
    const path = outputPath(place, { prompt, id: task.id, type: download.contentType })
    sayOtherName(place.fileName, path, download.contentType, say)
    await download.saveTo(path, { overwrite: place.mayOverwrite }).catch((error: unknown) => {
      throw error instanceof FramegateError && error.code === 'file_exists' ? alreadyThere(path) : error
    })
    return path
  } catch (error) {
    if (signal.aborted || error instanceof CommandFailure) throw error
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
    throw new CommandFailure(
      exitCodes.failed,
      `The result could not be saved: ${reason}. Until the link expires, it is at ${task.result_url}`,
      { cause: error },
    )
  }
}

function sayOtherName(given: string | null, path: string, type: string, say: (words: string) => void): void {
  if (given !== null && given !== basename(path))
    say(`The type of the result is ${type}, so it is saved as ${path}, not as ${given}.`)
}
