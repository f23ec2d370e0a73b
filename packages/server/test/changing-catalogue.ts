import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AdminModelDefinition, Model, ResumableUpload, Task } from '@framegate/contract'
import { expect, vi } from 'vitest'
import { packetVideo } from './packet-video.ts'
import { plainPng } from './plain-png.ts'
import type { StartedServer } from './started-server.ts'
import { bytesType, tusHeaders, uploadsPath } from './tus-requests.ts'
import { falKey, falProtocol } from './upstreams/fal.protocol.ts'
import { Simulator, type Protocol, type SimulatedJob } from './upstreams/simulator.ts'

/**
 * An installation whose models, routes, files, brands and assets change while tasks wait for slots.
 * Each definition has its own parameter and price, so the requests to the simulated upstreams and
 * the charges in the ledger show under which definition a task was accepted.
 */
export interface ChangingCatalogue extends AsyncDisposable {
  /** Steps by name. Each makes one change, or sends requests. */
  readonly actions: Readonly<Record<string, () => Promise<unknown>>>
  /**
   * Waits until every accepted task has ended. Then checks the requests to the upstreams, and the
   * ledger.
   */
  check(): Promise<void>
}

export interface TrialOptions {
  folder: string
  processes: number
  start: (processIndex: number, environment: Record<string, string>) => Promise<StartedServer>
  random: () => number
}

type Kind = 'image' | 'video'

interface SubmittedTask {
  model: string
  version: number
  body: Record<string, unknown>
  /** Undefined while the response is unknown. */
  id?: string
}

const slotsMax = 2
const jobMs = 250
const tasksPath = '/v2/model-center/tasks'
const fileModels = ['of-file-0', 'of-file-1'] as const
const apiModels = ['of-api', 'imported', 'replaced'] as const
/**
 * Response statuses of requests that a concurrent change made impossible. A process that shuts down
 * responds with 503.
 */
const refusalStatuses = new Set([400, 403, 404, 409, 429, 503])

export async function openChangingCatalogue({ folder, processes, start, random }: TrialOptions): Promise<ChangingCatalogue> {
  const upstreams = [await openUpstream(), await openUpstream()] as const
  const configFile = path.join(folder, 'framegate.yaml')
  const modelsFolder = path.join(folder, 'models')
  mkdirSync(modelsFolder)
  const environment = {
    FRAMEGATE_CONFIG: configFile,
    FRAMEGATE_ALLOW_HOSTS: '127.0.0.1',
    FRAMEGATE_PUBLIC_URL: 'https://gate.example',
  }
  /** Result type of each version's model. */
  const kinds: Kind[] = []
  /** Result type of the current definition of the model `replaced`. */
  let replacedKind: Kind = 'video'
  const submitted = new Map<string, SubmittedTask>()
  const video = await packetVideo({ frames: 24 })
  const image = `data:image/png;base64,${plainPng(8, 8).toString('base64')}`
  let asset = ''
  let keyCount = 0

  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] ?? expect.fail('no items')

  const kindOf = (id: string): Kind => (id === 'replaced' ? replacedKind : 'video')

  function definitionOf(id: string, object = kindOf(id)): Record<string, unknown> & { version: number } {
    const version = kinds.push(object) - 1
    const ownParameter = { [`tag_${version}`]: { type: 'string', maxLength: 40 } }
    const videoParameters = { first_frame: {}, input_video: {}, seconds: { enum: [1] }, resolution: { enum: ['480p'] } }
    return {
      version,
      id,
      object,
      parameters: { prompt: {}, ...(object === 'video' && videoParameters), ...ownParameter },
      required: ['prompt', `tag_${version}`],
      price: { per_task: priceOf(version) },
    }
  }
  const documentOf = ({ version: _version, ...document }: ReturnType<typeof definitionOf>) => document

  /** Input mapping of a route, which accepts the parameters of every version. */
  const input = {
    prompt: { required: true },
    first_frame: { field: 'image_url' },
    input_video: { field: 'video_url' },
    ...Object.fromEntries(['seconds', 'resolution', 'aspect_ratio'].map((name) => [name, { sent: false }])),
  }
  const routeOf = (model: string, upstream: number, version: number) => ({
    model,
    upstream: `fal-${upstream}`,
    upstream_model: `acme/${model}/${kindOf(model)}`,
    input: {
      ...input,
      ...Object.fromEntries(Array.from({ length: 60 }, (_, step) => [`tag_${Math.max(0, version - 40) + step}`, {}])),
    },
  })

  function writeModelFile(id: string, text: string, isAtomic = true): void {
    const file = path.join(modelsFolder, `${id}.yaml`)
    writeFileSync(isAtomic ? `${file}.new` : file, text)
    if (isAtomic) renameSync(`${file}.new`, file)
  }

  let routeUpstreams = upstreams.map((_, index) => index)
  function writeConfig(): void {
    const routes = fileModels.map((id, index) => routeOf(id, routeUpstreams[index] ?? 0, kinds.length))
    const definitions = Object.fromEntries(
      upstreams.map(({ origin }, index) => [
        `fal-${index}`,
        { driver: 'fal', base_url: origin, api_key: falKey, in_flight_max: slotsMax },
      ]),
    )
    writeFileSync(`${configFile}.new`, JSON.stringify({ upstreams: definitions, routes }))
    renameSync(`${configFile}.new`, configFile)
  }

  for (const id of fileModels) writeModelFile(id, JSON.stringify(documentOf(definitionOf(id))))
  writeConfig()
  const servers = [await start(0, environment)]
  while (servers.length < processes) servers.push(await start(servers.length, environment))
  const anyServer = (): StartedServer => pick(servers)

  /**
   * Sends a request to any process. Returns null if that process was killed. Throws for a status
   * that no concurrent change explains.
   */
  async function send(
    method: string,
    urlPath: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Response | null> {
    const target = anyServer()
    const response = await target.request(method, urlPath, body, headers).catch((error: unknown) => {
      if (target.process.signalCode === 'SIGKILL' || target.process.killed) return null
      throw error
    })
    if (response === null || response.ok || refusalStatuses.has(response.status)) return response
    throw new Error(`${method} ${urlPath}: HTTP ${response.status} ${await response.text()}`)
  }
  const requestAdmin = (method: string, urlPath: string, body?: object) => send(method, `/admin/v1${urlPath}`, body)
  const setRoute = (model: string) => requestAdmin('PUT', `/routes/${model}`, routeOf(model, pick([0, 1]), kinds.length))

  for (const id of apiModels) {
    if (id === 'imported') await importModel()
    else {
      expect((await requestAdmin('POST', '/models', documentOf(definitionOf(id))))?.status).toBe(201)
      // Another process may load the model up to a second later.
      await vi.waitFor(async () => expect((await setRoute(id))?.ok).toBe(true), { timeout: 10_000 })
    }
  }
  await upload()

  async function importModel(): Promise<void> {
    const { version, price, ...model } = definitionOf('imported')
    const { model: _model, upstream, ...route } = routeOf('imported', pick([0, 1]), version)
    const document = { driver: 'fal', model, routes: [{ label: 'main', ...route }] }
    await requestAdmin('POST', '/models/import', { sources: ['file:imported.json'], document, price, upstream, update: true })
  }

  /** Uploads a video in two parts. The first attempt at the second part declares a wrong offset. */
  async function upload(): Promise<void> {
    const created = await send('POST', uploadsPath, undefined, { ...tusHeaders, 'upload-length': String(video.length) })
    if (created?.ok !== true) return
    const { id } = (await created.json()) as ResumableUpload
    const half = Math.floor(video.length / 2)
    for (const [offset, bytes] of [
      [0, video.subarray(0, half)],
      [half + 1, video.subarray(half)],
      [half, video.subarray(half)],
    ] as const) {
      const target = anyServer()
      const headers = {
        authorization: `Bearer ${target.apiKey}`,
        ...tusHeaders,
        'content-type': bytesType,
        'upload-offset': String(offset),
      }
      await target
        .fetch(`${target.baseUrl}${uploadsPath}/${id}`, { method: 'PATCH', headers, body: new Blob([bytes]) })
        .catch(() => null)
    }
    const endedUpload = (await (await send('GET', `${uploadsPath}/${id}`))?.json()) as ResumableUpload | undefined
    if (endedUpload?.asset) asset = endedUpload.asset.id
  }

  async function submit(id: string): Promise<void> {
    const view = await send('GET', `/v2/model-center/models/${encodeURIComponent(id)}`)
    if (view?.ok !== true) return
    const { type, parameters } = (await view.json()) as Model
    const tag = Object.keys(parameters.properties).find((name) => name.startsWith('tag_')) ?? expect.fail('no tag')
    const key = `key-${keyCount++}`
    const inputs = [{ first_frame: image }, { first_frame: 'https://example.com/a.png' }, { input_video: `asset:${asset}` }, {}]
    const inputFields = type === 'image' ? {} : pick(inputs)
    const body = { model: id, prompt: 'a kite', [tag]: key, ...inputFields }
    submitted.set(key, { model: id, version: Number(tag.slice(4)), body })
    await sendSubmit(key)
  }

  async function sendSubmit(key: string): Promise<void> {
    const task = submitted.get(key) ?? expect.fail('unknown key')
    const response = await send('POST', tasksPath, task.body, { 'idempotency-key': key })
    if (response === null || response.status === 503 || response.status === 429) return
    if (response.status === 202) task.id = ((await response.json()) as Task).id
    else submitted.delete(key)
  }

  async function submitSome(): Promise<void> {
    await Promise.all(Array.from({ length: 4 }, () => submit(pick([...fileModels, ...apiModels]))))
  }

  const actions = {
    async 'change a file'() {
      const id = pick(fileModels)
      writeModelFile(id, JSON.stringify(documentOf(definitionOf(id))))
    },
    async 'leave a file half-written'() {
      const [target, id] = [anyServer(), pick(fileModels)]
      const text = JSON.stringify(documentOf(definitionOf(id)), null, 1)
      // Waits until earlier changes of files are in use.
      await sleep(1_500)
      const versionBefore = await versionOf(target, id)
      const errors = target.log().split(`models/${id}.yaml, line`).length
      writeModelFile(id, text.slice(0, text.length / 2), false)
      await vi.waitFor(() => expect(target.log().split(`models/${id}.yaml, line`).length).toBeGreaterThan(errors), {
        timeout: 10_000,
      })
      await submitSome()
      expect(await versionOf(target, id)).toBe(versionBefore)
      writeModelFile(id, text, false)
    },
    async 'change a stored model'() {
      const id = pick(apiModels)
      const { parameters, required, price } = definitionOf(id)
      await requestAdmin('PATCH', `/models/${id}`, { parameters, required, price })
      await setRoute(id)
    },
    async 'replace a model by another with its ID'() {
      await requestAdmin('DELETE', '/routes/replaced')
      await requestAdmin('DELETE', '/models/replaced')
      await submitSome()
      const kind = pick<Kind>(['image', 'video'])
      const created = await requestAdmin('POST', '/models', documentOf(definitionOf('replaced', kind)))
      if (created?.ok === true) replacedKind = kind
      await setRoute('replaced')
    },
    async 'import during a reload of files'() {
      const id = pick(fileModels)
      writeModelFile(id, JSON.stringify(documentOf(definitionOf(id))))
      await Promise.all([
        importModel(),
        sleep(random() * 900).then(importModel),
        requestAdmin('PATCH', '/models/imported', { title: 'T' }),
      ])
    },
    async 'move routes to another upstream'() {
      routeUpstreams = routeUpstreams.map(() => pick([0, 1]))
      writeConfig()
      await setRoute(pick(apiModels))
    },
    async 'hide a model of the brand'() {
      const id = pick([...fileModels, ...apiModels])
      const show = (visibility: string) => requestAdmin('POST', '/brands/brand_default/models', { model: id, visibility })
      await show('hidden')
      await submitSome()
      await vi.waitFor(async () => expect([true, undefined]).toContain((await show('invocable'))?.ok), { timeout: 10_000 })
    },
    async 'delete the asset and upload it again'() {
      await send('DELETE', `/v2/assets/${asset}`)
      await submitSome()
      await upload()
    },
    async 'refuse wrong changes'() {
      const refused: [method: string, path: string, body: object | undefined, message: RegExp][] = [
        ['PATCH', '/models/of-api', { price: { per_task: -1 } }, /price/],
        ['PATCH', '/models/of-file-0', { title: 'T' }, /models\/of-file-0\.yaml, line \d/],
        ['POST', '/models', { ...documentOf(definitionOf('OF-API')) }, /looks like/],
        ['DELETE', '/models/of-api', undefined, /route of-api serves the model/],
        ['PUT', '/routes/nowhere', routeOf('no such model', 0, 0), /must be a Model ID/],
      ]
      for (const [method, urlPath, body, expected] of refused) {
        const response = await requestAdmin(method, urlPath, body)
        if (response === null || response.status === 429) continue
        expect([method, urlPath, await response.text()]).toEqual([method, urlPath, expect.stringMatching(expected)])
        expect([400, 409]).toContain(response.status)
      }
    },
    async 'kill a process'() {
      const serverIndex = Math.floor(random() * servers.length)
      const work = submitSome()
      const importing = random() < 0.5 ? importModel() : null
      await sleep(random() * 300)
      await servers[serverIndex]?.kill()
      await Promise.allSettled([work, importing])
      servers[serverIndex] = await start(serverIndex, environment)
    },
    'submit some': submitSome,
  }

  async function check(): Promise<void> {
    for (const upstream of upstreams) upstream.drain()
    for (const [key, { id }] of submitted) {
      if (id === undefined)
        await vi.waitFor(
          async () => {
            await sendSubmit(key)
            const current = submitted.get(key)
            expect(current === undefined || current.id !== undefined).toBe(true)
          },
          { timeout: 20_000, interval: 300 },
        )
    }
    const [firstServer = expect.fail('no process')] = servers
    let chargedCredits = 0
    for (const [key, { id = '', model, version }] of submitted) {
      const endedTask = await vi.waitFor(
        async () => {
          const task = (await (await firstServer.request('GET', `${tasksPath}/${id}?wait=20`)).json()) as Task
          expect([key, model, task.status]).toEqual([key, model, expect.stringMatching(/completed|failed/)])
          return task
        },
        { timeout: 90_000 },
      )
      expect(endedTask.model).toBe(model)
      if (endedTask.status === 'completed')
        expect([key, endedTask.amount, endedTask.error]).toEqual([key, priceOf(version), null])
      else expect([key, endedTask.amount, endedTask.error]).toEqual([key, 0, expect.stringMatching(/\w+ \w+/)])
      chargedCredits += endedTask.amount
    }
    const received = upstreams.flatMap(({ submits }) => submits())
    const sentKeys = received.map(({ key }) => key)
    expect(sentKeys.filter((key, index) => sentKeys.indexOf(key) !== index)).toEqual([])
    for (const { key, sent, path: sentPath } of received) {
      const task = submitted.get(key) ?? expect.fail(`${key} was sent, but never accepted`)
      const { version, model, body } = task
      expect([key, sentPath]).toEqual([key, `/acme/${model}/${kinds[version]}`])
      const names = [
        'prompt',
        `tag_${version}`,
        ...('first_frame' in body ? ['image_url'] : []),
        ...('input_video' in body ? ['video_url'] : []),
      ]
      expect([key, Object.keys(sent).toSorted()]).toEqual([key, names.toSorted()])
      if ('first_frame' in body) expect(sent['image_url']).toBe(body['first_frame'])
      if ('input_video' in body) expect(sent['video_url']).toContain(String(body['input_video']).slice('asset:'.length))
    }
    for (const { runningMax } of upstreams) expect(runningMax()).toBeLessThanOrEqual(slotsMax)
    const ledger = (await (await firstServer.request('GET', '/admin/v1/credits/verify')).json()) as {
      differences: number
      holds: number
    }
    expect(ledger).toMatchObject({ differences: 0, holds: 0 })
    expect(chargedCredits).toBeGreaterThan(0)
    // After a kill, the service cannot know whether the upstream received a start.
    const expected = 'cannot be used|has changed|the response to the start was lost'
    for (const runningServer of servers) expect(runningServer.log()).not.toMatch(new RegExp(`"level":(50|60)(?!.*(${expected}))`))
  }

  return {
    actions,
    check,
    async [Symbol.asyncDispose]() {
      for (const runningServer of servers) await runningServer.kill()
      for (const { simulator } of upstreams) await simulator[Symbol.asyncDispose]()
    },
  }
}

const versionOf = async (target: StartedServer, id: string): Promise<number | null> =>
  ((await (await target.request('GET', `/admin/v1/models/${id}`)).json()) as AdminModelDefinition).version

function priceOf(version: number): number {
  return (1_000 + version) / 1_000
}

interface Upstream {
  simulator: Simulator
  origin: string
  /** Returns the received submits. */
  readonly submits: () => { key: string; path: string; sent: Record<string, unknown> }[]
  /** Returns the largest number of jobs that ran at the same time. */
  readonly runningMax: () => number
  /**
   * Makes every later poll wait until its job has ended. Before this call, a job takes several
   * polls.
   */
  readonly drain: () => void
}

/** A simulated upstream, which runs each job for some time and counts the running jobs. */
async function openUpstream(): Promise<Upstream> {
  const startedAt = new Map<SimulatedJob, number>()
  let maximum = 0
  let isDraining = false
  const remainingMsOf = (job: SimulatedJob): number => Math.max(0, jobMs - (Date.now() - (startedAt.get(job) ?? 0)))
  const protocol: Protocol = {
    stageOf: (request) => falProtocol.stageOf(request),
    async respond(request, stage, simulator) {
      if (stage === 'poll') {
        const job = simulator.jobs.find(({ id }) => request.url.pathname.endsWith(`/${id}/status`))
        if (job !== undefined && isDraining) await sleep(remainingMsOf(job))
        if (job !== undefined && remainingMsOf(job) === 0) job.moves = ['succeeded']
      }
      const response = await falProtocol.respond(request, stage, simulator)
      const created = simulator.jobs.find(({ id }) => stage === 'result' && request.url.pathname === `/files/${id}`)
      if (created?.request.url.pathname.endsWith('/image') === true) {
        return { ...response, bytes: plainPng(8, 8), headers: { 'content-type': 'image/png' } }
      }
      const job = simulator.jobs.at(-1)
      if (stage === 'submit' && job !== undefined && !startedAt.has(job)) {
        startedAt.set(job, Date.now())
        maximum = Math.max(maximum, simulator.jobs.filter((each) => remainingMsOf(each) > 0).length)
      }
      return response
    },
  }
  const simulator = await Simulator.open(protocol)
  simulator.media = await packetVideo({ frames: 24 })
  simulator.moves = ['running']
  return {
    simulator,
    origin: simulator.origin,
    submits: () =>
      simulator.of('submit').map(({ url, json }) => {
        const body = json as Record<string, unknown>
        const tag = Object.keys(body).find((name) => name.startsWith('tag_')) ?? ''
        return { key: String(body[tag]), path: url.pathname, sent: body }
      }),
    runningMax: () => maximum,
    drain: () => void (isDraining = true),
  }
}
