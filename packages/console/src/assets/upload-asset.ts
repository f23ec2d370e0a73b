import type { Asset } from '../api/types.ts'
import { ApiError } from '../api/api-error.ts'
import { apiUrl } from '../api/call.ts'

/** Uploads a file as an asset. `onProgress` receives the share that was sent, from 0 to 1. */
export function uploadAsset(file: File, onProgress: (share: number) => void, signal?: AbortSignal): Promise<Asset> {
  // Uses XMLHttpRequest, because `fetch` does not report upload progress.
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<Asset>()
  request.open('POST', apiUrl('/v2/assets'))
  request.setRequestHeader('x-console-request', '1')
  request.setRequestHeader('accept', 'application/json')
  request.responseType = 'json'
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total))
  request.addEventListener('load', () => {
    if (request.status < 300) return resolve(request.response as Asset)
    const body = request.response as { error?: { code: string; message: string } } | null
    reject(new ApiError(request.status, body?.error ?? { code: 'unexpected_response', message: request.statusText }))
  })
  request.addEventListener('error', () => reject(new ApiError(0, { code: 'connection_failed', message: 'connection_failed' })))
  signal?.addEventListener('abort', () => request.abort())
  request.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
  const form = new FormData()
  form.append('file', file)
  request.send(form)
  return promise
}
