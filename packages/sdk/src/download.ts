import type { RequestOptions } from './call-options.ts'
import { FramegateError, taskFailure } from './framegate-error.ts'
import { createPartOpener, type Part } from './open-part.ts'
import { readParts } from './read-parts.ts'
import type { Task } from './task.ts'
import type { Transport } from './transport.ts'
import { saveFile } from '#save-file'

export interface DownloadProgress {
  receivedBytes: number
  /** Size of the complete result; null if the server does not send it. */
  totalBytes: number | null
}

export interface DownloadOptions extends Pick<RequestOptions, 'signal' | 'maxRetries' | 'onRetry'> {
  /** Called after each received chunk. Default: none. */
  onProgress?: ((progress: DownloadProgress) => void) | undefined
  /** Index in the task's `results`, counted from 0. Default: 0, the result at `result_url`. */
  result?: number | undefined
  /**
   * Maximum size in bytes. The download of a larger result rejects with `result_too_large`.
   * Default: 8 GiB.
   */
  bytesMax?: number | undefined
}

export interface SaveOptions {
  /**
   * Whether to replace an existing file. If false, `saveTo` rejects with `file_exists`.
   * Default: true.
   */
  overwrite?: boolean | undefined
}

/**
 * A result whose download has started. If the connection breaks, the download resumes at the same
 * byte, with a new link if the link has expired. The first call of `stream`, `blob` or `saveTo`
 * reads the started download. Each further call downloads the result again.
 */
export interface Download {
  /** Media type, such as `video/mp4`. */
  readonly contentType: string
  /** Size of the result in bytes; null if the server does not send it. */
  readonly sizeBytes: number | null
  /** Streams the bytes as they arrive. Cancel the stream when you stop reading. */
  stream(): ReadableStream<Uint8Array>
  /** Reads the whole result into memory. */
  blob(): Promise<Blob>
  /**
   * Writes the result to a file. The file has a temporary name in the same folder until it is
   * complete. Available only in Node, Deno and Bun.
   */
  saveTo(path: string, options?: SaveOptions): Promise<void>
}

/**
 * Yields the bytes in order. If a broken download cannot resume, it starts over at the first byte:
 * `restart` is called, and must discard the bytes that were yielded. Without `restart`, throws
 * `result_changed` instead.
 */
export type ReadBytes = (restart?: () => void | Promise<void>) => AsyncGenerator<Uint8Array>

const bytesMaxDefault = 8 * 1024 ** 3

export async function openDownload(
  transport: Transport,
  readTask: (signal: AbortSignal | undefined) => Promise<Task>,
  task: Task | string,
  options: DownloadOptions = {},
): Promise<Download> {
  const { signal, onRetry, onProgress, bytesMax = bytesMaxDefault, maxRetries = transport.maxRetries, result = 0 } = options
  const retries = { signal, onRetry, maxRetries }
  const findLink = async (task?: Task): Promise<string> => requireLink(task ?? (await readTask(signal)), result)
  const givenTask = typeof task !== 'string' && task.result_url !== undefined ? task : undefined
  const openPart = createPartOpener({ transport, link: await findLink(givenTask), findLink, retries })

  const openedPart = await openPart(0)
  let unreadPart: Part | null = openedPart
  if ((openedPart.totalBytes ?? 0) > bytesMax) {
    openedPart.close()
    throw tooLarge(bytesMax)
  }

  const readBytes: ReadBytes = async function* (restart) {
    const part = unreadPart ?? (await openPart(0))
    unreadPart = null
    for await (const { chunk, receivedBytes, totalBytes } of readParts({ part, openPart, restart, retries })) {
      if (receivedBytes > bytesMax) throw tooLarge(bytesMax)
      onProgress?.({ receivedBytes, totalBytes })
      yield chunk
    }
  }

  return {
    contentType: openedPart.contentType,
    sizeBytes: openedPart.totalBytes,
    stream: () => toStream(readBytes()),
    async blob() {
      const chunks: Uint8Array[] = []
      for await (const chunk of readBytes(() => void chunks.splice(0))) chunks.push(chunk)
      return new Blob(chunks, { type: openedPart.contentType })
    },
    async saveTo(path, { overwrite = true } = {}) {
      try {
        await saveFile(path, readBytes, overwrite)
      } finally {
        // If the file could not be opened, the response is still unread, and would keep the process
        // alive.
        unreadPart?.close()
        unreadPart = null
      }
    },
  }
}

function requireLink(task: Task, result: number): string {
  requireResults(task)
  const url = result === 0 ? task.result_url : task.results?.[result]?.url
  if (url !== undefined) return url
  const lastIndex = (task.results?.length ?? 1) - 1
  const message = `The task ${task.id} has no result with the index ${result}. The last index is ${lastIndex}.`
  throw new FramegateError({ code: 'no_such_result', message, task })
}

/** Throws a `FramegateError` unless the task is completed and its results still exist. */
export function requireResults(task: Task): void {
  if (task.result_url !== undefined) return
  if (task.status === 'failed') throw taskFailure(task)
  throw task.status === 'completed'
    ? new FramegateError({ code: 'result_expired', message: `The result of the task ${task.id} was removed.`, task })
    : new FramegateError({
        code: 'task_not_completed',
        message: `The task ${task.id} is still ${task.status}. Wait for it first.`,
        task,
      })
}

function tooLarge(bytesMax: number): FramegateError {
  return new FramegateError({ code: 'result_too_large', message: `The result is larger than ${bytesMax} bytes.` })
}

/** Replaces `ReadableStream.from`, which some runtimes lack. */
function toStream(bytes: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await bytes.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await bytes.return(undefined)
    },
  })
}
