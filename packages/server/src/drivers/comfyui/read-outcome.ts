import path from 'node:path'
import type { GenerationRequest, PollOutcome } from '../driver.ts'
import type { ResultLocation } from '../upstream/fetch-result.ts'
import { failedBecause } from '../upstream/classify-error.ts'
import { listIn, objectIn, textIn } from '../upstream/read-json.ts'
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
      return succeededWith(found, request, hasSeed)
    case 'failed':
      return failedBecause(policyPattern.test(found.errorMessage) ? 'content_policy' : 'upstream_failed', found.errorMessage)
    case 'cancelled':
      return failedBecause('cancelled', 'it was interrupted at the server')
    default:
      return progress === undefined ? { state: 'running' } : { state: 'running', progress }
  }
}

const contentTypes: Record<GenerationRequest['object'], Readonly<Record<string, string>>> = {
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
 * The first file of the right kind; a file that the workflow only previews counts if there is no
 * other.
 */
function succeededWith({ outputs }: ComfyuiJob, request: GenerationRequest, hasSeed: boolean): PollOutcome {
  const types = contentTypes[request.object]
  const files = Object.values(outputs)
    .flatMap((kinds) => Object.values(objectIn(kinds)).flatMap(listIn).map(objectIn))
    .map((file) => ({ filename: textIn(file['filename']), subfolder: textIn(file['subfolder']), type: textIn(file['type']) }))
    .filter(({ filename }) => extensionOf(filename) in types)
  // If a workflow makes a video and its cover, both may have an extension that the other could
  // have.
  const inOrder = Object.keys(types).flatMap((extension) => files.filter(({ filename }) => extensionOf(filename) === extension))
  const file = inOrder.find(({ type }) => type === 'output') ?? inOrder[0]
  if (file === undefined) return failedBecause('upstream_failed', `the workflow saved no ${request.object}`)
  const contentType = types[extensionOf(file.filename)] ?? ''
  return { state: 'succeeded', outputs: [{ contentType, location: locationOf(file), ...(hasSeed && { seed: seedOf(request) }) }] }
}

function locationOf({ filename, subfolder, type }: OutputFile): { path: string } {
  return { path: `/api/view?${new URLSearchParams({ filename, subfolder, type }).toString()}` } satisfies ResultLocation
}

function extensionOf(filename: string): string {
  return path.extname(filename).slice(1).toLowerCase()
}
