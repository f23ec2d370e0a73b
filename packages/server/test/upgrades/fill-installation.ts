import { setTimeout as sleep } from 'node:timers/promises'
import { fetchAtHost } from '../fetch-at-host.ts'
import { plainPng } from '../plain-png.ts'
import { openaiKey } from '../upstreams/openai.protocol.ts'
import type { Simulator } from '../upstreams/simulator.ts'

export const upstreamModel = 'vidK O3 Video Generation'
export const video = { model: upstreamModel, prompt: 'a kite over dunes', seconds: 5 }
export const brandHost = 'north.example'
/** Idempotency key of a video task without an input image. */
export const videoKey = 'video-once'
/** Idempotency key of a video task with a first frame. */
export const firstFrameKey = 'image-once'

const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'a paper boat' }
const billion = 1_000_000_000
const waitMs = 60_000
const pollIntervalMs = 100

/** A filled installation, as its API showed it. */
export interface FilledInstallation {
  /** API keys of the accounts with tasks. */
  keys: Record<'first' | 'branded' | 'limited', string>
  /** Task ids by the state of the task. */
  tasks: Record<string, string>
  /** Ended tasks as the API shows them, by id. */
  ended: Record<string, Record<string, unknown>>
  /** Ids of upstream jobs that have not ended. */
  runningJobs: string[]
}

interface EmptyInstallation {
  baseUrl: string
  /** API key with all scopes. */
  operatorKey: string
  upstream: Simulator
}

interface AccountWithKey {
  id: string
  key: string
}

/**
 * Fills an empty installation of any version, over HTTP only, with accounts, credits, brands,
 * prices, assets and tasks in every state. The upstream must have three slots. The caller must kill
 * the service soon afterwards, while some of the tasks are still running.
 */
export async function fillInstallation({ baseUrl, operatorKey, upstream }: EmptyInstallation): Promise<FilledInstallation> {
  const tasks: Record<string, string> = {}
  const requestAdmin = (method: string, path: string, body?: object): Promise<Record<string, unknown>> =>
    call(operatorKey, method, `/admin/v1${path}`, body)

  const firstAccount = await newAccount('One', 1_000)
  const brandId = String((await requestAdmin('POST', '/brands', { name: 'Northern Lights', hosts: [brandHost] }))['id'])
  await requestAdmin('POST', `/brands/${brandId}/models`, { model: 'imgA_5.0Pro', visibility: 'invocable', title: 'Aurora' })
  const brandedAccount = await newAccount('Client of the north', 50, brandId)
  const limitedAccount = await newAccount('Waiting', 100)
  await requestAdmin('PATCH', `/accounts/${limitedAccount.id}`, { tasks_in_flight_max: 1, over_limit: 'wait' })
  await addLedgerEntries()
  await changeKeys()
  const spare = { driver: 'openai', base_url: `${upstream.origin}/v1`, api_key: openaiKey }
  await requestAdmin('PUT', '/upstreams/spare', spare)
  await requestAdmin('PUT', '/routes/spare', { model: 'vidG_video3', upstream: 'spare', upstream_model: 'sora-2' })
  await requestAdmin('POST', '/prices', {
    model: image.model,
    account: firstAccount.id,
    price: { unit: 'task', credits: { '*': 0.03 } },
  })
  for (const status of ['suspended', 'closed']) {
    await requestAdmin('PATCH', `/accounts/${(await newAccount(status, 5)).id}`, { status })
  }
  for (let i = 0; i < 10; i++) await newAccount(`Large ${i}`, billion)

  upstream.moves = ['succeeded']
  tasks['completed upstream'] = await submitUntilEnded(firstAccount.key, video)
  tasks['completed in the brand'] = await submitUntilEnded(brandedAccount.key, image, brandHost)
  tasks['completed here'] = await submitUntilEnded(firstAccount.key, image)
  tasks['failed here'] = await submitUntilEnded(firstAccount.key, {
    ...image,
    simulate: { seconds: 0, outcome: 'content_policy' },
  })
  upstream.moves = ['failed']
  tasks['failed upstream'] = await submitUntilEnded(firstAccount.key, video)
  upstream.next('submit', { status: 503, json: { error: { code: 'server_error', message: 'later' } } })
  upstream.next('submit', 'reset_after')
  tasks['lost upstream'] = await submitUntilEnded(firstAccount.key, video)
  tasks['cancelled while queued'] = await submit(firstAccount.key, { ...image, simulate: { queued_seconds: 3_000 } })
  await cancel(tasks['cancelled while queued'])

  upstream.moves = ['running']
  tasks['cancelled upstream'] = await submit(firstAccount.key, video)
  await waitForStatus(tasks['cancelled upstream'], ['processing'])
  await cancel(tasks['cancelled upstream'])
  tasks['running upstream'] = await submit(firstAccount.key, video)
  await waitForStatus(tasks['running upstream'], ['processing'])
  const asset = await upload()
  const submitsBefore = upstream.of('submit').length
  upstream.next('submit', 'silence_before')
  tasks['being submitted'] = await submit(firstAccount.key, { ...video, first_frame: `asset:${asset}` })
  await waitUntil(async () => upstream.of('submit').length > submitsBefore)

  tasks['queued for a slot'] = await submit(
    firstAccount.key,
    { ...video, first_frame: `asset:${asset}` },
    { 'idempotency-key': firstFrameKey },
  )
  tasks['queued in the account with a limit of one'] = await submit(limitedAccount.key, video, { 'idempotency-key': videoKey })
  tasks['over the limit of its account'] = await submit(limitedAccount.key, video)
  tasks['running here'] = await submit(firstAccount.key, { ...image, simulate: { seconds: 20 } })
  await waitForStatus(tasks['running here'], ['processing'])
  tasks['queued here'] = await submit(firstAccount.key, { ...image, simulate: { queued_seconds: 20 } })

  const endedTasks: Record<string, Record<string, unknown>> = {}
  for (const [name, id] of Object.entries(tasks)) {
    const [key, host] = name === 'completed in the brand' ? [brandedAccount.key, brandHost] : [keyOf(name), undefined]
    const task = await call(key, 'GET', `${tasksPath}/${id}`, undefined, host)
    if (task['status'] === 'completed' || task['status'] === 'failed') endedTasks[id] = task
  }
  return {
    keys: { first: firstAccount.key, branded: brandedAccount.key, limited: limitedAccount.key },
    tasks,
    ended: endedTasks,
    runningJobs: upstream.jobs.filter(({ state }) => state === 'running' || state === 'queued').map(({ id }) => id),
  }

  async function newAccount(name: string, credits: number, brand?: string): Promise<AccountWithKey> {
    const id = String((await requestAdmin('POST', '/accounts', { name, ...(brand && { brand }) }))['id'])
    const { key } = await requestAdmin('POST', `/accounts/${id}/keys`, { name, scopes: ['tasks:read', 'tasks:write'] })
    await requestAdmin('POST', `/accounts/${id}/grants`, { amount: credits, note: 'invoice', reference: `invoice of ${name}` })
    return { id, key: String(key) }
  }

  async function addLedgerEntries(): Promise<void> {
    const nowSeconds = Math.floor(Date.now() / 1000)
    const grantCredits = (amount: number, seconds: number) =>
      requestAdmin('POST', `/accounts/${firstAccount.id}/grants`, { amount, note: 'welcome', expires_at: nowSeconds + seconds })
    await grantCredits(3, 2)
    await grantCredits(20, 30 * 86_400)
    await requestAdmin('POST', `/accounts/${firstAccount.id}/adjustments`, { amount: -1.5, note: 'correction' })
    await sleep(3_000)
  }

  async function changeKeys(): Promise<void> {
    const limits = { requests_per_second_max: 10, spent_per_day_max: 50, models: [image.model] }
    const issueKey = () =>
      requestAdmin('POST', `/accounts/${firstAccount.id}/keys`, { name: 'website', scopes: ['tasks:write'], ...limits })
    const [rotated, revoked] = [await issueKey(), await issueKey()]
    await requestAdmin('POST', `/keys/${String(rotated['id'])}/rotate`, { overlap_seconds: 3_600 })
    await requestAdmin('DELETE', `/keys/${String(revoked['id'])}`)
  }

  async function upload(): Promise<string> {
    const form = new FormData()
    form.append('file', new Blob([plainPng(320, 240)]), 'kite.png')
    const headers = { authorization: `Bearer ${firstAccount.key}` }
    const response = await fetch(`${baseUrl}/v2/assets`, { method: 'POST', headers, body: form })
    return ((await response.json()) as { id: string }).id
  }

  async function submit(key: string, body: object, headers: Record<string, string> = {}, host?: string): Promise<string> {
    return String((await call(key, 'POST', tasksPath, body, host, headers))['id'])
  }

  async function submitUntilEnded(key: string, body: object, host?: string): Promise<string> {
    const id = await submit(key, body, {}, host)
    await waitForStatus(id, ['completed', 'failed'], key, host)
    return id
  }

  async function cancel(id: string): Promise<void> {
    await call(firstAccount.key, 'POST', `${tasksPath}/${id}/cancel`)
  }

  async function waitForStatus(id: string, statuses: readonly string[], key = firstAccount.key, host?: string): Promise<void> {
    await waitUntil(async () =>
      statuses.includes(String((await call(key, 'GET', `${tasksPath}/${id}`, undefined, host))['status'])),
    )
  }

  function keyOf(name: string): string {
    return name.includes('limit') ? limitedAccount.key : firstAccount.key
  }

  async function call(
    key: string,
    method: string,
    path: string,
    body?: object,
    host?: string,
    headers: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    const init = {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    }
    const response = await (host === undefined ? fetch(baseUrl + path, init) : fetchAtHost(baseUrl + path, host, init))
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  }
}

async function waitUntil(isReached: () => Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + waitMs
  while (!(await isReached())) {
    if (performance.now() > untilMs) throw new Error('a task did not reach its state')
    await sleep(pollIntervalMs)
  }
}
