import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer } from '../started-server.ts'
import { chatModel, hello, rates } from './chat-service.ts'
import { beginStream, openChatUpstream, sendDelta, type ChatUpstream } from './chat-upstream.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-killed-chat-'))
let upstream: ChatUpstream
beforeAll(async () => {
  upstream = await openChatUpstream()
})
afterAll(async () => {
  await upstream[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

it('the hold of a stream whose service was killed is released at the next start, and the ledger is consistent', async () => {
  const config = path.join(dataDir, 'framegate.yaml')
  const model = {
    id: chatModel,
    object: 'chat',
    max_input_tokens: 8000,
    max_output_tokens: 1000,
    price: { per_million_tokens: rates },
  }
  const routing = {
    models: [model],
    upstreams: { own: { driver: 'openai', base_url: upstream.baseUrl, api_key: 'sk-secret-of-own' } },
    routes: [{ model: chatModel, upstream: 'own', upstream_model: 'tiny' }],
  }
  writeFileSync(config, JSON.stringify(routing))
  const environment = { FRAMEGATE_CONFIG: config }
  const killed = await startServer(dataDir, environment)
  upstream.next(({ body, response }) => {
    beginStream(response)
    sendDelta(response, body, { content: 'The' })
  })
  const stream = await fetch(`${killed.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${killed.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: chatModel, messages: hello, stream: true }),
  })
  const reader = stream.body!.getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('"The"')
  const readCredits = async (server: typeof killed) =>
    (await (await server.request('GET', '/v2/credits')).json()) as { held: number }
  expect((await readCredits(killed)).held).toBeGreaterThan(4)
  await killed.kill()
  await reader.read().catch(() => undefined)
  const restarted = await startServer(dataDir, environment)
  await expect.poll(async () => (await readCredits(restarted)).held, { timeout: 5_000 }).toBe(0)
  expect(await readCredits(restarted)).toMatchObject({ balance: 1_000_000 })
  expect(await restarted.stop()).toBe(0)
})
