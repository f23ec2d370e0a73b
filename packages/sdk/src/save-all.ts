import type { Download, DownloadOptions, SaveOptions } from './download.ts'
import { FramegateError } from './framegate-error.ts'
import type { Task, TaskResult } from './task.ts'

export interface SaveAllOptions extends DownloadOptions, SaveOptions {}

/**
 * Where to save results: one path, or a function that returns the path of each result. If one path
 * is given for several results, it is numbered: `fox-1.png`, `fox-2.png` and so on for `fox.png`.
 */
export type ResultPath = string | ((result: TaskResult, index: number) => string)

/** Saves the results one after the other. Returns their paths. */
export async function saveAll(
  task: Task,
  path: ResultPath,
  { overwrite, ...options }: SaveAllOptions,
  download: (task: Task, options: DownloadOptions) => Promise<Download>,
): Promise<string[]> {
  const { results } = task
  if (results === undefined) {
    const message = 'This server lists no results, because it is older than this client. Use tasks.download.'
    throw new FramegateError({ code: 'no_such_result', message, task })
  }
  const pathOf = typeof path === 'function' ? path : (_: TaskResult, index: number) => numberedPath(path, index, results.length)
  const paths = results.map(pathOf)
  for (const [index, resultPath] of paths.entries()) {
    const openedDownload = await download(task, { ...options, result: index })
    await openedDownload.saveTo(resultPath, { overwrite })
  }
  return paths
}

function numberedPath(path: string, index: number, count: number): string {
  if (count === 1) return path
  const number = String(index + 1).padStart(String(count).length, '0')
  const [, stem = path, ending = ''] = /^(.*[^/\\])(\.[^./\\]+)$/s.exec(path) ?? []
  return `${stem}-${number}${ending}`
}
