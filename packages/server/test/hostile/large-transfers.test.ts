import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packetVideo } from '../packet-video.ts'
import { bytesType, tusHeaders, uploadsPath } from '../tus-requests.ts'
import { openaiKey, openaiProtocol } from '../upstreams/openai.protocol.ts'
import { Simulator } from '../upstreams/simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from '../upstreams/service-with-upstreams.ts'
import { residentBytes } from './decoder-children.ts'

const megabyte = 1024 * 1024
const model = 'vidK O3 Video Generation'
// Sizes of the transferred files. A process that had a file in memory would grow by its size. During
// the first download, it grows by up to 60 MB in any case, because V8 collects buffers late.
const resultBytes = 192 * megabyte
const uploadBytes = 64 * megabyte

let upstream: Simulator
let service: ServiceWithUpstreams
beforeAll(async () => {
  upstream = await Simulator.open(openaiProtocol)
  upstream.moves = ['succeeded']
  upstream.media = await packetVideo()
  service = await startServiceWithUpstreams({
    upstreams: { main: { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey } },
    routes: [{ model, upstream: 'main', upstream_model: 'sora-2' }],
  })
  await completeTask()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

async function completeTask(): Promise<void> {
  await service.until(await service.submit({ model, prompt: 'a kite over dunes', seconds: 5 }), 'completed')
}

/** Returns the largest growth of the service's resident memory while the work runs, in bytes. */
async function measureGrowthBytes(work: () => Promise<void>): Promise<number> {
  const pid = service.server.process.pid ?? 0
  const bytesAtStart = residentBytes(pid)
  let highest = bytesAtStart
  const timer = setInterval(() => (highest = Math.max(highest, residentBytes(pid))), 10)
  await work()
  clearInterval(timer)
  return highest - bytesAtStart
}

/** Creates a small video with an unused part of this size, in a box of type `free`. */
async function largeVideo(paddingBytes: number): Promise<Buffer> {
  const padding = Buffer.alloc(paddingBytes)
  padding.writeUInt32BE(paddingBytes)
  padding.write('free', 4)
  return Buffer.concat([await packetVideo(), padding])
}

describe.runIf(process.platform === 'linux')('large transfers', () => {
  it('the memory of the service does not grow with the size of a result', async () => {
    upstream.media = await largeVideo(resultBytes)
    expect(await measureGrowthBytes(completeTask)).toBeLessThan(resultBytes / 2)
  })

  it('the memory of the service does not grow with the size of an uploaded file', async () => {
    const { server } = service
    const video = await largeVideo(uploadBytes)
    const announced = { ...tusHeaders, 'upload-length': String(video.byteLength) }
    const { id } = (await (await server.request('POST', uploadsPath, undefined, announced)).json()) as { id: string }
    const send = async (): Promise<void> => {
      const response = await fetch(`${server.baseUrl}${uploadsPath}/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${server.apiKey}`, ...tusHeaders, 'content-type': bytesType, 'upload-offset': '0' },
        body: new Uint8Array(video),
      })
      expect(response.status).toBe(204)
    }
    expect(await measureGrowthBytes(send)).toBeLessThan(uploadBytes / 2)
  })
})
