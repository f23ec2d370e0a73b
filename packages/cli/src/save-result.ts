import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Task } from '@framegate/contract'
import { CommandFailure } from './command-failure.ts'
import { exitCodes } from './exit-codes.ts'
import { alreadyThere, extensionOf, outputPath, type OutputPlace } from './output-file.ts'

const downloadsMax = 3
const pauseMs = 2_000
const resultBytesMax = 8 * 1024 ** 3
// Without a byte for this long, the connection counts as lost.
const silenceMsMax = 60_000

export interface SaveOptions {
  place: OutputPlace
  prompt: string
  signal: AbortSignal
  say: (words: string) => void
}

/** Streams the result to a temporary name beside its place and renames it when it is whole. Answers with its path. */
export async function saveResult(task: Task, options: SaveOptions): Promise<string> {
  const url = task.result_url
  if (url === undefined)
    throw new CommandFailure(exitCodes.failed, `The task ${task.id} is completed but its result is no longer kept.`)
  for (let count = 1; ; count++) {
    try {
      return await download(url, task.id, options)
    } catch (error) {
      if (options.signal.aborted || error instanceof CommandFailure) throw error
      if (count === downloadsMax) throw notSaved(url, error)
      options.say(`The download broke off (${reasonOf(error)}) and is begun again.`)
      await sleep(pauseMs, undefined, { signal: options.signal })
    }
  }
}

async function download(url: string, id: string, { place, prompt, signal, say }: SaveOptions): Promise<string> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new Error('silence')), silenceMsMax)
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, silence.signal]) })
    if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`)
    const type = response.headers.get('content-type') ?? ''
    const path = outputPath(place, { prompt, id, type })
    warnOfOtherType(path, type, say)

    const partPath = join(dirname(path), `.${basename(path)}.${id.slice(-8)}.part`)
    try {
      await pipeline(
        Readable.fromWeb(response.body),
        boundBytes(() => timer.refresh()),
        createWriteStream(partPath),
      )
      if (!place.mayOverwrite && existsSync(path)) throw alreadyThere(path)
      await rename(partPath, path)
    } finally {
      await rm(partPath, { force: true })
    }
    return path
  } finally {
    clearTimeout(timer)
  }
}

function boundBytes(onBytes: () => void) {
  return async function* (chunks: AsyncIterable<Uint8Array>) {
    let bytes = 0
    for await (const chunk of chunks) {
      onBytes()
      bytes += chunk.byteLength
      if (bytes > resultBytesMax) throw new CommandFailure(exitCodes.failed, `The result is larger than ${resultBytesMax} bytes.`)
      yield chunk
    }
  }
}

function warnOfOtherType(path: string, type: string, say: (words: string) => void): void {
  const written = extname(path).toLowerCase().replace('.jpeg', '.jpg')
  const right = extensionOf(type)
  if (right !== '' && written !== right) say(`Note: ${path} holds ${type}; the usual name ends in ${right}.`)
}

function notSaved(url: string, error: unknown): CommandFailure {
  return new CommandFailure(
    exitCodes.failed,
    `The result could not be saved (${reasonOf(error)}). For a while it stays at ${url}`,
    {
      cause: error,
    },
  )
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = (error.cause ?? error) as NodeJS.ErrnoException
  return code ?? error.message
}
