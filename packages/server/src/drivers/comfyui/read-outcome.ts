import type { MediaObject } from '@framegate/contract'
import path from 'node:path'
import type { DriverOutput, GenerationRequest, PollOutcome } from '../driver.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import { completedWithoutResult, failedOutcome } from '../upstream/classify-error.ts'
import { listIn, objectIn, textIn } from '../upstream/read-json.ts'
import { succeededWith } from '../upstream/succeeded-with.ts'
import type { ComfyuiJob } from './server.ts'
import { seedOf } from './workflow.ts'

/**
 * Matches content policy errors. They come from nodes that call a provider; the server itself has
 * no content policy.
 */
const policyPattern = /content policy|moderation|safety|nsfw/i

export function readOutcome(
  job: ComfyuiJob | null,
  request: GenerationRequest,
  progress: number | undefined,
  hasSeed: boolean,
): PollOutcome {
  if (job === null)
    return failedOutcome('upstream_failed', 'the server no longer knows the job: it was restarted, or its queue was cleared')
  switch (job.status) {
    case 'pending':
      return { state: 'queued' }
    case 'completed':
      return outcomeWith(job, request, hasSeed)
    case 'failed':
      return failedOutcome(policyPattern.test(job.errorMessage) ? 'content_policy' : 'upstream_failed', job.errorMessage)
    case 'cancelled':
      return failedOutcome('cancelled', 'the job was interrupted at the server')
    default:
      return progress === undefined ? { state: 'running' } : { state: 'running', progress }
  }
}

/** Content types by file extension, most preferred first. */
const contentTypes: Record<MediaObject, Readonly<Record<string, string>>> = {
  video: {
    mp4: 'video/mp4',
    webm: 'video/webm',
    mov: 'video/quicktime',
    mkv: 'video/x-matroska',
    gif: 'image/gif',
    webp: 'image/webp',
  },
  image: { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp' },
}

interface OutputFile {
  filename: string
  subfolder: string
  /** The server's folder: `output` for saved files, `temp` for previews. */
  type: string
}

/**
 * Returns the outcome of a job. The outputs are all saved files with the most preferred extension,
 * without the cover image that a workflow may save with its video. If the workflow saved no file,
 * the outputs are the files that it previews.
 */
function outcomeWith({ outputs }: ComfyuiJob, request: GenerationRequest, hasSeed: boolean): PollOutcome {
  const types = contentTypes[request.object === 'video' ? 'video' : 'image']
  const files = Object.values(outputs)
    .flatMap((listsByKind) => Object.values(objectIn(listsByKind)).flatMap(listIn).map(objectIn))
    .map((file) => ({ filename: textIn(file['filename']), subfolder: textIn(file['subfolder']), type: textIn(file['type']) }))
    .filter(({ filename }) => extensionOf(filename) in types)
  const savedFiles = files.filter(({ type }) => type === 'output')
  const usableFiles = savedFiles.length > 0 ? savedFiles : files
  const extension =
    Object.keys(types).find((extension) => usableFiles.some(({ filename }) => extensionOf(filename) === extension)) ?? ''
  const contentType = types[extension] ?? ''
  const outputFiles = usableFiles
    .filter(({ filename }) => extensionOf(filename) === extension)
    .map((file) => outputOf(file, contentType, hasSeed ? seedOf(request) : undefined))
  return succeededWith(outputFiles) ?? completedWithoutResult(`the workflow saved no ${request.object}`)
}

function outputOf(file: OutputFile, contentType: string, seed: number | undefined): DriverOutput {
  const output = { contentType, location: locationOf(file) }
  return seed === undefined ? output : { ...output, seed }
}

function locationOf({ filename, subfolder, type }: OutputFile): { path: string } {
  return { path: `/api/view?${new URLSearchParams({ filename, subfolder, type }).toString()}` } satisfies ResultLocation
}

function extensionOf(filename: string): string {
  return path.extname(filename).slice(1).toLowerCase()
}
