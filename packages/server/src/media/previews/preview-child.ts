import { serveParent, type ChildResponse } from '../../lib/limited-child/serve-parent.ts'
import { lowerPriority } from '../../lib/lower-priority.ts'
import { messageOf } from '../../lib/message-of.ts'
import type { EncodeRequest } from './encode-preview.ts'
import { framesBytesMax, type EncodeOutcome } from './preview-encoder.ts'

/** The library reports errors of the operating system as text. */
const unreadablePattern = /unable to open|system error|input file is missing/i

/** Entry point of a preview encoder process: encodes one preview at a time. */
await serveParent(framesBytesMax, async () => {
  const [{ encodePreview }, { findFileError }] = await Promise.all([
    import('./encode-preview.ts'),
    import('../../lib/file-error.ts'),
  ])
  lowerPriority(process.pid)

  return async (request, frames) => {
    try {
      return responseOf({ kind: 'encoded' }, await encodePreview(request as EncodeRequest, frames))
    } catch (error) {
      const fileError = findFileError(error)
      const message = messageOf(fileError ?? error)
      return responseOf({ kind: fileError !== undefined || unreadablePattern.test(message) ? 'unreadable' : 'unusable', message })
    }
  }
})

function responseOf(end: EncodeOutcome, body?: Buffer): ChildResponse {
  const { user, system } = process.cpuUsage()
  return { header: { ...end, cpuSeconds: (user + system) / 1e6 }, ...(body && { body }) }
}
