import { expect } from 'vitest'
import { openHttpService, type HttpService, type HttpServiceOptions } from '../http-service.ts'
import { openChatUpstream, type ChatUpstream } from './chat-upstream.ts'

export const chatModel = 'harbor-chat'
/** Price in credits per million tokens. */
export const rates = { input: 1_000, cached_input: 500, output: 4_000 }
/**
 * Credits charged for the upstream's default response: 12 + 8 cached input tokens, and 5 output
 * tokens.
 */
export const defaultCharge = (12 * 1_000 + 8 * 500 + 5 * 4_000) / 1_000_000

export interface ChatService extends AsyncDisposable {
  service: HttpService
  /** The upstream of the first route. */
  upstream: ChatUpstream
  /** The upstream of the second route, which is used if the first one fails. */
  backup: ChatUpstream
}

/**
 * Opens a service with a chat model on two upstreams, and models of the other token types on the
 * first upstream.
 */
export async function openChatService(options: HttpServiceOptions = {}): Promise<ChatService> {
  const [upstream, backup] = await Promise.all([openChatUpstream(), openChatUpstream()])
  const service = await openHttpService(options)
  const sendAdmin = async (method: string, path: string, body: unknown): Promise<void> => {
    const { status, text } = await service.request(method, `/admin/v1${path}`, { body })
    expect([200, 201], text).toContain(status)
  }
  for (const [name, { baseUrl }] of Object.entries({ first: upstream, second: backup })) {
    await sendAdmin('PUT', `/upstreams/${name}`, { driver: 'openai', base_url: baseUrl, api_key: `sk-secret-of-${name}` })
  }
  await sendAdmin('POST', '/models', {
    id: chatModel,
    object: 'chat',
    title: 'Harbor chat',
    max_input_tokens: 8_000,
    max_output_tokens: 1_000,
    price: { per_million_tokens: rates },
  })
  for (const object of ['embedding', 'moderation']) {
    const price = { per_million_tokens: { input: 100 } }
    await sendAdmin('POST', '/models', { id: `harbor-${object}`, object, max_input_tokens: 8_000, price })
    await sendAdmin('PUT', `/routes/${object}`, { model: `harbor-${object}`, upstream: 'first', upstream_model: 'tiny' })
  }
  const cost = { per_million_input_tokens: 200, per_million_output_tokens: 800 }
  await sendAdmin('PUT', '/routes/chat', { model: chatModel, upstream: 'first', upstream_model: 'tiny', cost })
  await sendAdmin('PUT', '/routes/chat-backup', { model: chatModel, upstream: 'second', upstream_model: 'small', priority: 1 })
  return {
    service,
    upstream,
    backup,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await Promise.all([upstream[Symbol.asyncDispose](), backup[Symbol.asyncDispose]()])
    },
  }
}

export const hello = [{ role: 'user', content: 'What color is the boat?' }]

/** Waits until an account has no held credits, and returns its balance. */
export async function waitForBalance(service: HttpService, key: string): Promise<number> {
  const read = async () => (await service.request('GET', '/v2/credits', { key })).json
  await expect.poll(async () => (await read()).held).toBe(0)
  return (await read()).balance
}

/** Returns the newest entry of an account's ledger. */
export async function readLastEntry(service: HttpService, key: string) {
  const { json } = await service.request('GET', '/v2/credits/entries?limit=1', { key })
  return json.items[0]
}
