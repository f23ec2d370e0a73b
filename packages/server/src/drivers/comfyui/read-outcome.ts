import type { MediaObject } from '@framegate/contract'
import path from 'node:path'
import type { DriverOutput, GenerationRequest, PollOutcome } from '../driver.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import { failedBecause } from '../upstream/classify-error.ts'
import { listIn, objectIn, textIn } from '../upstream/read-json.ts'
import { succeededWith } from '../upstream/succeeded-with.ts'
import type { ComfyuiJob } from './server.ts'
import { seedOf } from './workflow.ts'

/** Nodes that call a provider return its messages; the server itself has no rules on content. */
const policyPattern = /content policy|moderation|safety|nsfw/i

export function readOutcome(
  found: ComfyuiJob | null,
  request: GenerationRequest,
  progress: number | undefined,
  hasSeed: boolean,
): PollOutcome {
  if (found === null)
    return failedBecause('upstream_failed', 'the server no longer knows the job: it was restarted, or its queue was cleared')
  switch (found.status) {
    case 'pending':
      return { state: 'queued' }
    case 'completed':
      return outcomeWith(found, request, hasSeed)
    case 'failed':
      return failedBecause(policyPattern.test(found.errorMessage) ? 'content_policy' : 'upstream_failed', found.errorMessage)
    case 'cancelled':
      return failedBecause('cancelled', 'it was interrupted at the server')
    default:
      return progress === undefined ? { state: 'running' } : { state: 'running', progress }
  }
}

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
  type: string
}

/**
 * The outputs are all saved files that have the type of the first one. A workflow may also save a
 * cover of its video, with an extension that a video could have; the cover is left out. If the
 * workflow saved nothing, the files that it previews count.
 */
function outcomeWith({ outputs }: ComfyuiJob, request: GenerationRequest, hasSeed: boolean): PollOutcome {
  const types = contentTypes[request.object === 'video' ? 'video' : 'image']
  const files = Object.values(outputs)
    .flatMap((kinds) => Object.values(objectIn(kinds)).flatMap(listIn).map(objectIn))
    .map((file) => ({ filename: textIn(file['filename']), subfolder: textIn(file['subfolder']), type: textIn(file['type']) }))
    .filter(({ filename }) => extensionOf(filename) in types)
  const saved = files.filter(({ type }) => type === 'output')
  const usable = saved.length > 0 ? saved : files
  const extension = Object.keys(types).find((known) => usable.some(({ filename }) => extensionOf(filename) === known)) ?? ''
  const contentType = types[extension] ?? ''
  const made = usable
    .filter(({ filename }) => extensionOf(filename) === extension)
    .map((file) => outputOf(file, contentType, hasSeed ? seedOf(request) : undefined))
  return succeededWith(made) ?? failedBecause('upstream_failed', `the workflow saved no ${request.object}`)
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
