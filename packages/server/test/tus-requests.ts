import { request } from 'node:http'
import type { HttpResponse, RequestOptions } from './http-service.ts'

export const uploadsPath = '/v2/assets/uploads'
export const tusHeaders = { 'tus-resumable': '1.0.0' }
export const bytesType = 'application/offset+octet-stream'

type Requests = { request(method: string, path: string, options?: RequestOptions): Promise<HttpResponse> }

const uploadPath = (id: string) => `${uploadsPath}/${id}`

/** Returns functions that each send a request of the tus protocol. */
export function tusRequests(service: () => Requests) {
  return {
    create: (sizeBytes: number | string, headers: Record<string, string> = {}, key?: string) =>
      service().request('POST', uploadsPath, {
        headers: { ...tusHeaders, 'upload-length': String(sizeBytes), ...headers },
        ...(key !== undefined && { key }),
      }),
    patch: (
      id: string,
      offset: number | string,
      bytes: Uint8Array | ReadableStream,
      headers: Record<string, string> = {},
      key?: string,
    ) =>
      service().request('PATCH', uploadPath(id), {
        headers: { ...tusHeaders, 'content-type': bytesType, 'upload-offset': String(offset), ...headers },
        rawBody: bytes instanceof Uint8Array ? Buffer.from(bytes) : bytes,
        ...(key !== undefined && { key }),
      }),
    head: (id: string, key?: string) =>
      service().request('HEAD', uploadPath(id), { headers: tusHeaders, ...(key !== undefined && { key }) }),
    get: (id: string, key?: string) => service().request('GET', uploadPath(id), key === undefined ? {} : { key }),
    delete: (id: string, key?: string) =>
      service().request('DELETE', uploadPath(id), { headers: tusHeaders, ...(key !== undefined && { key }) }),
    async offsetOf(id: string): Promise<number> {
      const { headers } = await service().request('HEAD', uploadPath(id), { headers: tusHeaders })
      return Number(headers.get('upload-offset'))
    },
  }
}

export const metadataHeader = (values: Record<string, string>) => ({
  'upload-metadata': Object.entries(values)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(','),
})

/**
 * Announces all bytes from `offset` on, sends the first `sentBytes` of them, and breaks the
 * connection when `untilReceived` resolves, because the bytes that the service has not read by then
 * are lost.
 */
export async function sendAndBreak(
  { baseUrl, key }: { baseUrl: string; key: string },
  { id, offset, bytes, sentBytes }: { id: string; offset: number; bytes: Uint8Array; sentBytes: number },
  untilReceived: () => Promise<void>,
): Promise<void> {
  const sending = request(`${baseUrl}${uploadsPath}/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${key}`,
      ...tusHeaders,
      'content-type': bytesType,
      'upload-offset': String(offset),
      'content-length': String(bytes.byteLength - offset),
    },
  })
  sending.on('error', () => {})
  const closed = new Promise((resolve) => sending.once('close', resolve))
  await new Promise<void>((resolve) => sending.write(bytes.subarray(offset, offset + sentBytes), () => resolve()))
  await untilReceived()
  sending.destroy()
  await closed
}
