import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import type { Random } from './random.ts'

/** A receiver's behavior for one request. */
type Outcome = 'accept' | 'late' | 'error' | 'reset' | 'busy' | 'hang' | 'redirect'

/** Percentage of requests with each behavior, by receiver. All others are accepted. */
export const receiverOutcomePercentages = {
  steady: {},
  failing: { error: 15, reset: 10, busy: 5 },
  hanging: { hang: 2 },
  redirecting: { redirect: 15 },
  slow: { late: 20 },
  /** Fails until the receivers come back online. */
  away: { error: 100 },
  /** Receives the events of tasks that have it as their `webhook_url`. */
  tasks: { error: 10, reset: 5 },
} satisfies Record<string, Partial<Record<Outcome, number>>>
export type ReceiverName = keyof typeof receiverOutcomePercentages

const lateMs = 1_000

/** An event that a receiver has accepted: its response with status 200 was sent completely. */
export interface AcceptedEvent {
  /** Name of the account that the webhook belongs to. */
  account: string
  receiver: ReceiverName
  eventId: string
  type: string
  taskId: string
  /** Link to the result; null if the event has none. */
  link: string | null
  atMs: number
}

/**
 * Webhook receivers of all accounts. They fail, hang, redirect and respond late, but keep an
 * accurate record of every event that they accept.
 */
export interface FaultyReceivers extends AsyncDisposable {
  url(account: string, receiver: ReceiverName): string
  /** Sets the secret that must sign the events for an address. */
  expectSecret(account: string, receiver: ReceiverName, secret: string): void
  accepted: AcceptedEvent[]
  /** Descriptions of invalid requests, such as unsigned ones. */
  violations: string[]
  /** Number of requests by receiver and outcome. */
  countByOutcome: Record<string, number>
  /** From now on, every receiver accepts every event. */
  stopFaults(): void
}

export async function startFaultyReceivers(random: Random): Promise<FaultyReceivers> {
  const secrets = new Map<string, string>()
  let isFaultless = false

  function chooseOutcome(receiver: ReceiverName): Outcome {
    if (isFaultless) return 'accept'
    const faults: Partial<Record<Outcome, number>> = receiverOutcomePercentages[receiver]
    const acceptPercentage = 100 - Object.values(faults).reduce((sum, percentage) => sum + percentage, 0)
    return random.pickWeighted({ ...faults, accept: acceptPercentage } as Record<Outcome, number>)
  }

  const server = createServer((request, response) => {
    void (async () => {
      const [, account = '', receiver = ''] = (request.url ?? '').split('/').map(decodeURIComponent)
      const body = await text(request)
      if (!(receiver in receiverOutcomePercentages)) return fail(response, `a request for the unknown address ${request.url}`)
      const name = receiver as ReceiverName
      const secret = secrets.get(pathOf(account, name))
      const headers = Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key, String(value)]))
      if (secret === undefined || !hasValidSignature(secret, body, headers)) {
        return fail(response, `a request for ${request.url} without a valid signature`)
      }
      const outcome = chooseOutcome(name)
      const key = `${name} ${outcome}`
      receivers.countByOutcome[key] = (receivers.countByOutcome[key] ?? 0) + 1
      const { type, data } = JSON.parse(body) as { type: string; data: { id: string; result_url?: string } }
      response.on('finish', () => {
        if (response.statusCode !== 200) return
        const eventId = headers['webhook-id'] ?? ''
        const link = data.result_url ?? null
        receivers.accepted.push({ account, receiver: name, eventId, type, taskId: data.id, link, atMs: Date.now() })
      })
      respond(response, outcome)
    })().catch(() => response.destroy())
  })

  function fail(response: ServerResponse, violation: string): void {
    receivers.violations.push(violation)
    response.writeHead(400).end()
  }

  const receivers: FaultyReceivers = {
    url: (account, receiver) => origin + pathOf(account, receiver),
    expectSecret: (account, receiver, secret) => void secrets.set(pathOf(account, receiver), secret),
    accepted: [],
    violations: [],
    countByOutcome: {},
    stopFaults() {
      isFaultless = true
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receivers
}

function pathOf(account: string, receiver: string): string {
  return `/${encodeURIComponent(account)}/${receiver}`
}

function respond(response: ServerResponse, outcome: Outcome): void {
  switch (outcome) {
    case 'accept':
      response.end()
      return
    case 'late':
      setTimeout(() => response.end(), lateMs).unref()
      return
    case 'error':
      response.writeHead(500).end('it failed')
      return
    case 'reset':
      response.destroy()
      return
    case 'busy':
      response.writeHead(429, { 'retry-after': '1' }).end()
      return
    case 'redirect':
      response.writeHead(307, { location: '/elsewhere' }).end()
      return
    case 'hang':
  }
}

/** Verifies a signature, except for its timestamp. */
function hasValidSignature(secret: string, body: string, headers: Record<string, string>): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers
  try {
    const expected = new Webhook(secret).sign(id, new Date(Number(timestamp) * 1000), body)
    return signatures.split(' ').includes(expected)
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}
