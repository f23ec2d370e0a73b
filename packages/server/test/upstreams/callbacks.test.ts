import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { packetVideo } from '../packet-video.ts'
import { klingKey, klingProtocol } from './kling.protocol.ts'
import { minimaxKey, minimaxProtocol } from './minimax.protocol.ts'
import { replicateKey, replicateProtocol, replicateSecret } from './replicate.protocol.ts'
import { Simulator } from './simulator.ts'
import { startServiceWithUpstreams, type ServiceWithUpstreams } from './service-with-upstreams.ts'

const publicUrl = 'https://gate.example'

/** For each upstream, a request for a model that only this upstream serves. */
const callbackRequests = {
  kling: { model: 'vidK O3 Video Generation', prompt: 'a kite over dunes', seconds: 5 },
  minimax: { model: 'vidM-H3-768p', prompt: 'a kite over dunes', seconds: 5 },
  replicate: { model: 'vidB_1_5_pro_720p', prompt: 'a kite over dunes', seconds: 5 },
}

let service: ServiceWithUpstreams
let kling: Simulator
let minimax: Simulator
let replicate: Simulator
beforeAll(async () => {
  kling = await Simulator.open(klingProtocol)
  minimax = await Simulator.open(minimaxProtocol)
  replicate = await Simulator.open(replicateProtocol)
  const video = await packetVideo()
  for (const upstream of [kling, minimax, replicate]) {
    upstream.media = video
    upstream.callBack = (address, body) => sendCallback(pathOf(address), body)
  }
  service = await startServiceWithUpstreams(
    {
      upstreams: {
        kling: { driver: 'kling', base_url: kling.origin, api_key: klingKey },
        minimax: { driver: 'minimax', base_url: minimax.origin, api_key: minimaxKey },
        replicate: { driver: 'replicate', base_url: `${replicate.origin}/v1`, api_key: replicateKey },
      },
      routes: [
        { model: callbackRequests.kling.model, upstream: 'kling', upstream_model: 'kling-v2-6' },
        { model: callbackRequests.minimax.model, upstream: 'minimax', upstream_model: 'MiniMax-H3' },
        { model: callbackRequests.replicate.model, upstream: 'replicate', upstream_model: 'bytedance/seedance-1-pro' },
      ],
    },
    { FRAMEGATE_PUBLIC_URL: publicUrl },
  )
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  for (const upstream of [kling, minimax, replicate]) await upstream[Symbol.asyncDispose]()
})

/**
 * Submits a task and waits for its submit to the upstream. Returns the id of the task and the
 * path of the callback URL that the upstream received in `field`.
 */
async function startTask(upstream: Simulator, body: { model: string }, field: string): Promise<{ id: string; path: string }> {
  upstream.moves = ['running']
  const submitsBefore = upstream.of('submit').length
  const id = await service.submit(body)
  await vi.waitUntil(() => upstream.of('submit').length > submitsBefore, { timeout: 20_000 })
  return { id, path: pathOf(String(upstream.of('submit').at(-1)?.json[field])) }
}

/** Returns the path of a callback URL below the base URL of the service under test. */
function pathOf(address: string): string {
  expect(address.startsWith(`${publicUrl}/api/callbacks/`)).toBe(true)
  return address.slice(`${publicUrl}/api`.length)
}

function sendCallback(
  path: string,
  body: unknown = { task_status: 'succeed' },
  headers: Record<string, string> = {},
): Promise<Response> {
  return service.server.fetch(service.server.baseUrl + path, { method: 'POST', body: JSON.stringify(body), headers })
}

it('a callback triggers the next poll immediately, and its content is ignored', async () => {
  const { id, path } = await startTask(kling, callbackRequests.kling, 'callback_url')
  await vi.waitUntil(() => kling.of('poll').length > 0, { timeout: 20_000 })
  expect((await sendCallback(path)).status).toBe(200)
  await vi.waitUntil(() => kling.of('poll').length > 1, { timeout: 20_000 })
  expect((await service.task(id)).status).toBe('processing')
  for (const job of kling.jobs) job.moves = ['succeeded']
  for (let calls = 0; calls < 5; calls++) expect((await sendCallback(path)).status).toBe(200)
  expect((await service.until(id, 'completed')).amount).toBe(0.6)
  expect((await sendCallback(path, { task_status: 'failed' })).status).toBe(200)
  expect((await service.task(id)).status).toBe('completed')
})

it('a callback whose token does not match its route and attempt is rejected with 404', async () => {
  const { path } = await startTask(kling, callbackRequests.kling, 'callback_url')
  const [, , route, attempt, token = ''] = path.split('/')
  const otherTask = await startTask(kling, callbackRequests.kling, 'callback_url')
  const [, , , otherAttempt] = otherTask.path.split('/')
  for (const invalid of [
    `/callbacks/${route}/${attempt}/${token.slice(0, -1)}`,
    `/callbacks/${route}/${otherAttempt}/${token}`,
    `/callbacks/99/${attempt}/${token}`,
    `/callbacks/${route}/${attempt}/${'A'.repeat(token.length)}`,
  ]) {
    expect((await sendCallback(invalid)).status).toBe(404)
  }
})

it('a callback that is too large is rejected with 413, and a callback to an unknown URL with 404 before its body arrives', async () => {
  const { path } = await startTask(kling, callbackRequests.kling, 'callback_url')
  const large = 'x'.repeat(2 * 1024 * 1024)
  const refused = await sendCallback(path, large)
  expect(refused.status).toBe(413)
  expect(await refused.json()).toMatchObject({ error: { code: 'body_too_large' } })
  expect((await sendCallback('/callbacks/1/2/3', large)).status).toBe(404)
  const { host, port } = new URL(service.server.baseUrl)
  // The body is never sent, so a service that waited for it would not respond.
  const head = `POST /api/callbacks/1/2/3 HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 500\r\n\r\n`
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  socket.write(head)
  const [response] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect(response.toString()).toMatch(/^HTTP\/1\.1 404 /)
})

it('a callback returns the challenge of an upstream that has not responded to the submit yet', async () => {
  minimax.moves = ['succeeded']
  await service.until(await service.submit(callbackRequests.minimax), 'completed')
  expect([minimax.of('submit').length, minimax.jobs.length]).toEqual([1, 1])
})

it('a callback whose signature cannot be checked yet gets 503 with Retry-After, and its redelivery is accepted', async () => {
  const { id, path } = await startTask(replicate, callbackRequests.replicate, 'webhook')
  const body = { id: 'job-1', status: 'succeeded' }
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', Buffer.from(replicateSecret.replace('whsec_', ''), 'base64'))
    .update(`msg_1.${timestamp}.${JSON.stringify(body)}`)
    .digest('base64')
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }

  replicate.next('probe', { status: 500 })
  const unchecked = await sendCallback(path, body, headers)
  expect([unchecked.status, unchecked.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await unchecked.json()).toMatchObject({
    error: { code: 'overloaded', message: expect.stringContaining('send it again') },
  })
  for (const job of replicate.jobs) job.moves = ['succeeded']
  expect((await sendCallback(path, body, { ...headers, 'webhook-signature': 'v1,AAAA' })).status).toBe(403)
  expect((await sendCallback(path, body, headers)).status).toBe(200)
  await service.until(id, 'completed')
})
