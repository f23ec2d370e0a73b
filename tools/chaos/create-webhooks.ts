import { receiverOutcomePercentages, type FaultyReceivers, type ReceiverName } from './faulty-receivers.ts'

/**
 * Receivers that get a webhook. The receiver `tasks` gets none, because tasks have it as their
 * `webhook_url`.
 */
export const webhookReceivers = Object.keys(receiverOutcomePercentages).filter((name) => name !== 'tasks') as ReceiverName[]

/**
 * Creates the webhooks of an account, and passes the secrets to the receivers. `baseUrl` is the
 * account's base URL at one of the processes.
 */
export async function createWebhooks(
  baseUrl: string,
  { name, apiKey }: { name: string; apiKey: string },
  receivers: FaultyReceivers,
): Promise<void> {
  async function call(method: string, path: string, body?: object): Promise<{ secret: string }> {
    const response = await fetch(`${baseUrl}/v2/webhooks${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} /v2/webhooks${path} got HTTP ${response.status}: ${await response.text()}`)
    return (await response.json()) as { secret: string }
  }
  for (const receiver of webhookReceivers) {
    const { secret } = await call('POST', '', { url: receivers.url(name, receiver) })
    receivers.expectSecret(name, receiver, secret)
  }
  receivers.expectSecret(name, 'tasks', (await call('GET', '/secret')).secret)
}
