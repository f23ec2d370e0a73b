import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { taskNoOf } from '../../src/lib/task-id.ts'
import { openUpstreamService, type UpstreamService } from '../upstreams/upstream-service.ts'

const models = { listing: 'vidDq3-turbo' }

interface Reply {
  status: number
  json: unknown
  headers?: Record<string, string>
}

interface Submit {
  atMs: number
  prompt: string
}

/** An upstream whose first submit, or none, breaks off without a response. */
interface BreakingUpstream {
  origin: string
  submits: Submit[]
  server: Server
}

async function openUpstream(
  submitted: (submit: Submit, count: number) => Reply | 'break off' | Promise<Reply>,
  read: () => unknown,
): Promise<BreakingUpstream> {
  const submits: Submit[] = []
  async function respond(request: IncomingMessage): Promise<Reply | 'break off'> {
    if (request.method !== 'POST' || request.url?.endsWith('/cancel')) return { status: 200, json: read() }
    const { prompt } = (await json(request)) as { prompt: string }
    const submit = { atMs: Date.now(), prompt }
    submits.push(submit)
    return submitted(submit, submits.length)
  }
  const server = createServer((request, response) => {
    void respond(request).then((reply) => {
      if (reply === 'break off') return void request.socket.destroy()
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      return void response.end(JSON.stringify(reply.json))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, submits, server }
}

/** One service for all tests, with an upstream for each. */
let to: UpstreamService
let listing: BreakingUpstream

beforeAll(async () => {
  listing = await openUpstream(
    (_submit, count) => (count === 1 ? 'break off' : { status: 200, json: { task_id: `job${count}`, state: 'created' } }),
    () => ({ tasks: [], next_page_token: '', state: 'processing', creations: [] }),
  )
  to = await openUpstreamService({
    upstreams: {
      listing: { driver: 'vidu', base_url: listing.origin, api_key: 'key', in_flight_max: 100 },
    },
    routes: [{ model: models.listing, upstream: 'listing', upstream_model: 'viduq3-turbo' }],
  })
})
afterAll(async () => {
  await to[Symbol.asyncDispose]()
  for (const { server } of [listing]) {
    server.closeAllConnections()
    server.close()
  }
})

function attemptOf(id: string): Record<string, unknown> | undefined {
  return to.rows(`select state, unresolved, operation, holds_slot from task_attempts where task_no = ${taskNoOf(id)}`)[0]
}

it('a submit without a response delays the next one for a second, also while its job is looked up', async () => {
  const lost = await to.submit({ model: models.listing, prompt: 'first' })
  await vi.waitUntil(() => listing.submits.length === 1, { timeout: 20_000 })
  await to.submit({ model: models.listing, prompt: 'second' })
  await vi.waitUntil(() => listing.submits.length > 1, { timeout: 10_000 })
  expect(attemptOf(lost)).toMatchObject({ state: 'starting', holds_slot: 1 })
})
