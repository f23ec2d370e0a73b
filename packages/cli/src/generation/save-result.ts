import { basename, extname } from 'node:path'
import { FramegateError, type CompletedTask, type Framegate } from '@framegate/sdk'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { fileExistsFailure, outputPath, type OutputTarget } from './output-file.ts'

export interface SaveOptions {
  target: OutputTarget
  prompt: string
  /** Whether an error names the link of the result. */
  mayLink: boolean
  signal: AbortSignal
  printMessage: (message: string) => void
}

/**
 * Streams each result to a temporary file in the target folder and renames the file when it is
 * complete. Returns the paths.
 */
export async function saveResults(client: Framegate, task: CompletedTask, options: SaveOptions): Promise<string[]> {
  if (task.result_url === undefined) {
    throw new CommandFailure(exitCodes.failed, `The task ${task.id} is completed, but its result was removed.`)
  }
  const count = task.results?.length ?? 1
  const paths: string[] = []
  for (let result = 0; result < count; result++) paths.push(await saveResult(client, task, { ...options, result, count }))
  return paths
}

async function saveResult(
  client: Framegate,
  task: CompletedTask,
  { target, prompt, mayLink, signal, printMessage, result, count }: SaveOptions & { result: number; count: number },
): Promise<string> {
  try {
    const download = await client.tasks.download(task, {
      result,
      signal,
      onRetry: ({ error }) => printMessage(`${error.message} The download resumes where it broke off.`),
    })
    const number = count === 1 ? undefined : { position: result + 1, count }
    const path = outputPath(target, { prompt, id: task.id, type: download.contentType, number })
    if (result === 0) reportChangedName(target.fileName, path, { type: download.contentType, count }, printMessage)
    await download.saveTo(path, { overwrite: target.mayOverwrite }).catch((error: unknown) => {
      throw error instanceof FramegateError && error.code === 'file_exists' ? fileExistsFailure(path) : error
    })
    return path
  } catch (error) {
    if (signal.aborted || error instanceof CommandFailure) throw error
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
    const url = task.results?.[result]?.url ?? task.result_url
    throw new CommandFailure(
      exitCodes.failed,
      `The result could not be saved: ${reason}. ${mayLink ? `Until the link expires, it is at ${url}` : 'It is lost, because the temporary server ends.'}`,
      { cause: error },
    )
  }
}

/**
 * Prints a notice if the saved file does not have the requested name or, with several results, the
 * requested extension.
 */
function reportChangedName(
  requestedPath: string | null,
  path: string,
  { type, count }: { type: string; count: number },
  report: (message: string) => void,
): void {
  if (requestedPath === null || (count === 1 ? requestedPath === basename(path) : extname(requestedPath) === extname(path)))
    return
  report(
    extname(requestedPath) === extname(path)
      ? `${requestedPath} exists already, so the result is saved as ${path}.`
      : `The type of the result is ${type}, so it is saved as ${path}, not as ${requestedPath}.`,
  )
}
