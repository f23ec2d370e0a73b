import type { Asset } from '@framegate/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { packetVideo } from '../packet-video.ts'
import { plainPng } from '../plain-png.ts'
import { openaiKey, openaiProtocol } from './openai.protocol.ts'
import { Simulator } from './simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from './service-with-upstreams.ts'

const model = 'vidK O3 Video Generation'
const image = plainPng(1280, 720)

let upstream: Simulator
beforeEach(async () => {
  upstream = await Simulator.open(openaiProtocol)
  upstream.media = await packetVideo()
  upstream.moves = ['succeeded']
})
afterEach(() => upstream[Symbol.asyncDispose]())

function openService(environment: Record<string, string>): Promise<ServiceWithUpstreams> {
  const main = { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey }
  return startServiceWithUpstreams(
    { upstreams: { main }, routes: [{ model, upstream: 'main', upstream_model: 'sora-2' }] },
    environment,
  )
}

/**
 * Checks the image that the upstream receives for a task whose asset is deleted while the
 * upstream throttles submits.
 */
async function checkSentImage(service: ServiceWithUpstreams, check: (sentImage: string) => Promise<void>): Promise<void> {
  const { server } = service
  const url = `data:image/png;base64,${image.toString('base64')}`
  const asset = (await (await server.request('POST', '/v2/assets/import', { url })).json()) as Asset
  upstream.next('submit', { status: 429, headers: { 'retry-after': '1' }, json: { error: { code: 'rate_limit_exceeded' } } })
  const id = await service.submit({ model, prompt: 'a kite over dunes', seconds: 5, first_frame: `asset:${asset.id}` })
  await server.request('DELETE', `/v2/assets/${asset.id}`)
  await expect.poll(() => upstream.of('submit').length, { timeout: 20_000 }).toBe(2)
  await check(String(upstream.of('submit')[1]?.json.input_reference.image_url))
  await service.until(id, 'completed')
}

it('a deleted asset of a throttled task is sent as bytes if the service has no public URL', async () => {
  await using service = await openService({})
  await checkSentImage(service, async (sentImage) => {
    expect(sentImage).toBe(`data:image/png;base64,${image.toString('base64')}`)
  })
})

it('a deleted asset of a throttled task is sent as a link that needs no key if the service has a public URL', async () => {
  await using service = await openService({ FRAMEGATE_PUBLIC_URL: 'https://media.example.com' })
  await checkSentImage(service, async (sentImage) => {
    const { origin, pathname, search } = new URL(sentImage)
    expect([origin, pathname]).toEqual(['https://media.example.com', expect.stringMatching(/^\/api\/media\/asset_\w+\.png$/)])
    const file = await service.server.fetch(new URL(service.server.baseUrl).origin + pathname + search)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(image)
  })
})
