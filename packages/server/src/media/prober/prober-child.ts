import type sharp from 'sharp'
import { serveParent } from '../../lib/limited-child/serve-parent.ts'
import type { ProbeResponse, ProbeRequest } from './prober.ts'

/** Entry point of a prober process: probes one file at a time. */
await serveParent(0, async () => {
  const [{ checkSmallImage, MediaProbeError, probeMedia }, { probeInput }, { findFileError }] = await Promise.all([
    import('../probe-media.ts'),
    import('../probe-input.ts'),
    import('../../lib/file-error.ts'),
  ])

  async function probe(request: ProbeRequest): Promise<ProbeResponse> {
    if (request.as === 'check') return { kind: 'checked', media: request.paths.map(checkSmallImage) }
    const { path, as } = request
    try {
      return as === 'input'
        ? { kind: 'input', input: await probeInput(path) }
        : { kind: 'media', media: await probeMedia(path, loadSharp) }
    } catch (error) {
      const fileError = findFileError(error)
      if (fileError !== undefined) return { kind: 'unreadable', message: fileError.message }
      if (error instanceof MediaProbeError) return { kind: 'refused', code: error.code, message: error.message }
      throw error
    }
  }

  return async (request) => {
    const probedMedia = await probe(request as ProbeRequest)
    const { user, system } = process.cpuUsage()
    return { header: { ...probedMedia, cpuSeconds: (user + system) / 1e6 } }
  }
})

/** Loads the library with the decoders of the accepted types only. */
async function loadSharp(): Promise<typeof sharp> {
  const [library, { closeOtherLoaders }] = await Promise.all([import('sharp'), import('../decoder/image-loaders.ts')])
  closeOtherLoaders()
  return library.default
}
