import type { Reader } from './reader.ts'

/** A URL without a listener, because no example waits for a delivery. */
const receiver = 'http://127.0.0.1:38787/hook'

/**
 * Replaces the URLs and ids in a block about webhooks with those of a webhook that the block may
 * change or delete.
 */
export async function fillWebhooks(text: string, { server }: Reader): Promise<string> {
  if (!text.includes('framegate webhooks')) return text
  const send = async (method: string, path: string, body?: object): Promise<{ id: string }> =>
    (await server.request(method, `/v2/webhooks${path}`, body)).json() as Promise<{ id: string }>
  const webhook = await send('POST', '', { url: receiver })
  const delivery = await send('POST', `/${webhook.id}/test`)
  // The delivery list of `tasks` exists once a task has had a `webhook_url`.
  await server.request('POST', '/v2/model-center/tasks', { model: 'imgA-5.0', prompt: 'a quiet lake', webhook_url: receiver })
  return text
    .replaceAll(/https:\/\/example\.com\/\S+/g, receiver)
    .replaceAll('wh_5d0f8a1c...', webhook.id)
    .replaceAll('whd_0c9e7b5a...', delivery.id)
}
