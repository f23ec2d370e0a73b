import { buffer } from 'node:stream/consumers'
import { isTerminal } from '@framegate/contract'
import type { StoredResult, TaskRecord } from '../../db/task-queries.ts'
import { AppError } from '../../lib/app-error.ts'
import { openIntact } from '../../media/open-intact.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

/** One image of a response, in the format of OpenAI's API. */
export type ImageData = ({ url: string } | { b64_json: string }) & { revised_prompt?: string }

/**
 * Fields of a response in the format of OpenAI's API. `size` and `output_format` are those of the
 * first image.
 */
export interface ImagesBody {
  data: ImageData[]
  size: string
  output_format: string
}

/**
 * Maximum total size of the image files in a base64 response, because all of them are in memory at
 * the same time.
 */
const totalBytesMax = 96 * 1024 * 1024

/** Builds the images of a response from the results of tasks. */
export class ImagesOfTasks {
  readonly #dependencies: Pick<HttpDependencies, 'mediaStore' | 'views'>

  constructor(dependencies: Pick<HttpDependencies, 'mediaStore' | 'views'>) {
    this.#dependencies = dependencies
  }

  /**
   * Reads the images of completed tasks. Throws an `AppError` if a task was not completed, or if
   * the images were removed or are too large for base64.
   */
  async read(tasks: readonly TaskRecord[], format: 'url' | 'b64_json', resultOrigin: string | null): Promise<ImagesBody> {
    for (const task of tasks) requireCompleted(task)
    const results = tasks.flatMap((task) => task.results)
    const [firstResult] = results
    if (firstResult === undefined) throw new Error('the completed tasks have no result')
    const files =
      format === 'url'
        ? tasks.flatMap((task) => this.#urlsOf(task, resultOrigin)).map((url) => ({ url }))
        : await this.#contentsOf(results)
    const revisions = tasks.flatMap((task) => task.results.map(() => revisionOf(task)))
    const data = files.map((file, index): ImageData => Object.assign(file, revisions[index]))
    const { width, height, contentType } = firstResult
    return { data, size: `${width}x${height}`, output_format: contentType.replace(/^image\//, '') }
  }

  #urlsOf(task: TaskRecord, resultOrigin: string | null): string[] {
    const { results } = JSON.parse(this.#dependencies.views.view(task, resultOrigin).text) as { results?: { url: string }[] }
    if (results === undefined) throw imageRemoved()
    return results.map(({ url }) => url)
  }

  async #contentsOf(results: readonly StoredResult[]): Promise<ImageData[]> {
    const totalBytes = results.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    if (totalBytes > totalBytesMax) {
      throw new AppError('invalid_request', 'The images are too large for b64_json; request response_format url.')
    }
    const data: ImageData[] = []
    for (const result of results) {
      const file = await openIntact(this.#dependencies.mediaStore, result)
      if (file === undefined) throw imageRemoved()
      data.push({ b64_json: (await buffer(file.stream)).toString('base64') })
    }
    return data
  }
}

function revisionOf({ improvement }: TaskRecord): { revised_prompt?: string } {
  return improvement?.outcome === 'improved' ? { revised_prompt: improvement.prompt } : {}
}

function imageRemoved(): AppError {
  return new AppError('result_expired', 'An image has already been removed.')
}

function requireCompleted({ id, status, errorCode, errorMessage }: TaskRecord): void {
  if (status === 'completed') return
  if (!isTerminal(status)) {
    const message = `The task ${id} is still running; query it at /v2/model-center/tasks/${id}.`
    throw new AppError('still_running', message)
  }
  const message = `The task ${id} has failed: ${errorMessage ?? 'the reason is unknown.'}`
  throw new AppError(errorCode === 'content_policy' ? 'content_refused' : 'generation_failed', message)
}
