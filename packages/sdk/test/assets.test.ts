import { appendFileSync, mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainPng } from '../../server/test/plain-png.ts'
import { Framegate, type FramegateError } from '../src/index.ts'
import { startService, type Service } from './service.ts'

let service: Service
let assets: Framegate['assets']
let tasks: Framegate['tasks']
beforeAll(async () => {
  service = await startService()
  ;({ assets, tasks } = service.client)
})
afterAll(() => service[Symbol.asyncDispose]())

/** Returns a client whose requests are recorded. */
function recordedClient() {
  const requests: { path: string; headers: Headers }[] = []
  const client = new Framegate({
    baseUrl: service.baseUrl,
    apiKey: service.apiKey,
    async fetch(url, init) {
      requests.push({ path: new URL(url).pathname, headers: new Headers(init.headers) })
      return await fetch(url, init)
    },
  })
  return { requests, client }
}

it('the SDK uploads an image as an asset, uses it in tasks, fetches it and deletes it', async () => {
  const asset = await assets.create({ file: plainPng(64, 48), name: 'the robot' })
  expect(asset).toMatchObject({ id: expect.stringMatching(/^asset_/), name: 'the robot', width: 64, height: 48 })
  expect(await assets.get(asset.id)).toMatchObject({ id: asset.id, sha256: asset.sha256 })
  const request = { model: 'imgA-5.0', prompt: 'the robot', reference_images: [`asset:${asset.id}`] } as const
  expect(await tasks.createAndWait(request)).toMatchObject({ status: 'completed' })
  expect(await assets.delete(asset)).toEqual({ id: asset.id, object: 'asset', deleted: true })
  const refusal = await tasks.create(request).catch((error: FramegateError) => error)
  expect(refusal).toMatchObject({ code: 'invalid_parameter', errors: [{ pointer: '/reference_images/0' }] })
  expect(await assets.get(asset.id).catch((error: FramegateError) => error)).toMatchObject({ code: 'asset_not_found' })
})

it.each([
  ['in one request', undefined],
  ['in parts', 100],
])('an upload %s is rejected if the file has changed since it was opened', async (_how, resumableAboveBytes) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-changed-file-'))
  const file = path.join(folder, 'robot.png')
  writeFileSync(file, plainPng(64, 48))
  const blob = await openAsBlob(file)
  appendFileSync(file, 'more')
  const failure = await assets.create({ file: blob }, { resumableAboveBytes }).catch((error: FramegateError) => error)
  rmSync(folder, { recursive: true })
  expect(failure).toMatchObject({ code: 'invalid_option', param: 'file', message: expect.stringContaining('cannot be read') })
})

it('assets.create accepts bytes, blobs, files and data URIs, and assets.list returns them in pages', async () => {
  const url = `data:image/png;base64,${plainPng(4, 4).toString('base64')}`
  const created = [
    await assets.create({ file: plainPng(1, 4) }),
    await assets.create({ file: new Blob([Buffer.from(plainPng(2, 4))]) }),
    await assets.create({ file: new File([Buffer.from(plainPng(3, 4))], 'side.png') }),
    await assets.create({ url }),
  ]
  expect(created.map(({ name, width }) => [name, width])).toEqual([
    [null, 1],
    [null, 2],
    ['side.png', 3],
    [null, 4],
  ])
  expect((await assets.create({ file: plainPng(4, 4) })).id).toBe(created[3]?.id)
  const listed: string[] = []
  for await (const { id } of await assets.list({ limit: 2 })) listed.push(id)
  expect(listed).toEqual(created.map(({ id }) => id).toReversed())
})

it('an upload that is retried after a lost response creates no second asset', async () => {
  const { baseUrl, apiKey } = service
  let requestCount = 0
  const client = new Framegate({
    baseUrl,
    apiKey,
    async fetch(url, init) {
      const response = await fetch(url, init)
      requestCount += 1
      if (requestCount === 1) throw new TypeError('fetch failed')
      return response
    },
  })
  const asset = await client.assets.create({ file: plainPng(5, 4), name: 'once' })
  const names: (string | null)[] = []
  for await (const { name } of await assets.list()) names.push(name)
  expect([requestCount, asset.name, names.filter((name) => name === 'once')]).toEqual([2, 'once', ['once']])
})

it('files in the parameters of a task are uploaded, and become inputs of the task like assets', async () => {
  const { requests, client } = recordedClient()
  const robot = await assets.create({ file: plainPng(6, 4) })
  const request = {
    model: 'imgA-5.0',
    prompt: 'x',
    reference_images: [robot, plainPng(7, 4), new Blob([Buffer.from(plainPng(8, 4))]), `asset:${robot.id}`],
  } as const
  const quote = await client.tasks.quote(request)
  const task = await client.tasks.create(request)
  const storedReferences = (await tasks.get(task.id)).parameters?.['reference_images']
  expect(storedReferences).toEqual([
    `asset:${robot.id}`,
    expect.stringMatching(/^asset:/),
    expect.stringMatching(/^asset:/),
    `asset:${robot.id}`,
  ])
  expect(quote.parameters['reference_images']).toEqual(storedReferences)
  const widths = await Promise.all((storedReferences as string[]).map(async (input) => (await assets.get(input.slice(6))).width))
  expect(widths).toEqual([6, 7, 8, 6])
  // The uploads do not have the idempotency key of the task.
  expect(requests.filter(({ headers }) => headers.has('idempotency-key')).map(({ path }) => path)).toEqual([
    '/api/v2/model-center/tasks',
  ])
  await tasks.delete(task)
})

it('a file that the service rejects causes an error before a task is created', async () => {
  const { requests, client } = recordedClient()
  const broken = new TextEncoder().encode('this is no image')
  const call = client.tasks.createAndWait({ model: 'imgA-5.0', prompt: 'x', reference_images: [broken] })
  expect(await call.catch((error: FramegateError) => error)).toMatchObject({
    status: 400,
    code: 'invalid_parameter',
    param: 'file',
  })
  expect(requests.map(({ path }) => path)).toEqual(['/api/v2/assets'])
})
