import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainPng } from './plain-png.ts'
import { openHttpService, type HttpService } from './http-service.ts'

const tasksPath = '/v2/model-center/tasks'
const boat = { model: 'imgA-5.0', prompt: 'A paper boat on a quiet lake' }
const boatParameters = { prompt: boat.prompt, aspect_ratio: '1:1', resolution: '1K', watermark: false }
let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

async function submit(body: object, path = tasksPath): Promise<string> {
  const response = await service.request('POST', path, { body })
  expect(response.status).toBe(202)
  // The response to a submit omits the parameters, because the client already has them.
  expect(response.json).not.toHaveProperty('parameters')
  expect(response.json).not.toHaveProperty('prompt')
  return response.json.id
}

async function setVisibility(model: string, visibility: string | null): Promise<void> {
  const response = await service.request('POST', '/admin/v1/brands/brand_default/models', { body: { model, visibility } })
  expect(response.status).toBe(200)
}

async function queryTask(id: string, path = tasksPath) {
  return (await service.request('GET', `${path}/${id}`)).json
}

async function readListedTask(id: string, query = '') {
  const { json } = await service.request('GET', `${tasksPath}?limit=100${query}`)
  return json.items.find((item: { id: string }) => item.id === id)
}

describe('a query of a task', () => {
  it('a query of a task shows the parameters with their defaults from submit to end, as a quote does', async () => {
    const id = await submit(boat)
    const quote = await service.request('POST', `${tasksPath}/quote`, { body: boat })
    expect(quote.json.parameters).toEqual(boatParameters)
    expect((await queryTask(id)).parameters).toEqual(boatParameters)
    await service.startAll()
    await service.progress(id, 10)
    expect(await queryTask(id)).toMatchObject({ status: 'processing', parameters: boatParameters })
    await service.complete(id)
    expect(await queryTask(id)).toMatchObject({ status: 'completed', parameters: boatParameters })
  })

  it('a query in v1 shows the parameters in the format of v1, even if the task was submitted with v2', async () => {
    const body = { model: 'vidC2Stable', prompt: 'Two horses', aspect_ratio: '16:9', seconds: 10 }
    const parameters = { prompt: 'Two horses', aspect_ratio: '16:9', seconds: 10, resolution: '720p', watermark: false }
    for (const path of [tasksPath, '/v1/vidC/videos']) {
      const id = await submit(body, path)
      expect(await queryTask(id, '/v1/vidC/videos')).toMatchObject({ seconds: 10, parameters })
      expect((await queryTask(id)).parameters).toEqual(parameters)
    }
  })

  it('a query shows a data URI as type, size and digest, and other references unchanged, also after the task has ended', async () => {
    const image = Buffer.from(plainPng(8, 8))
    const form = new FormData()
    form.append('file', new Blob([Buffer.from(plainPng(9, 9))]), 'robot.png')
    const asset = (await service.request('POST', '/v2/assets', { rawBody: form })).json.id as string
    const references = [`asset:${asset}`, 'https://example.com/a.png?signature=x', dataUri(image)]
    const id = await submit({ ...boat, reference_images: references })
    const described = {
      content_type: 'image/png',
      size_bytes: image.byteLength,
      sha256: createHash('sha256').update(image).digest('hex'),
    }
    const parameters = { ...boatParameters, reference_images: [references[0], references[1], described] }
    const firstResponse = await service.request('GET', `${tasksPath}/${id}`)
    expect(firstResponse.json.parameters).toEqual(parameters)
    expect(firstResponse.text).not.toContain('base64')
    const cancelled = await service.request('POST', `${tasksPath}/${id}/cancel`)
    expect(cancelled.json.parameters).toEqual(parameters)
    expect((await queryTask(id)).parameters).toEqual(parameters)
  })

  it('a query shows the simulation and never max_amount', async () => {
    const id = await submit({ ...boat, simulate: { seconds: 600, outcome: 'stuck' }, max_amount: 5 })
    expect((await queryTask(id)).parameters).toEqual({ ...boatParameters, simulate: { outcome: 'stuck', seconds: 600 } })
  })

  it('a query shows the parameters of a task whose model its brand has hidden since', async () => {
    const id = await submit({ model: 'vidDq3-turbo', prompt: 'Snow', seconds: 5 })
    await setVisibility('vidDq3-turbo', 'hidden')
    expect((await queryTask(id)).parameters).toMatchObject({ prompt: 'Snow', seconds: 5 })
    expect((await readListedTask(id)).prompt).toBe('Snow')
    await setVisibility('vidDq3-turbo', null)
  })

  it('a query shows the parameters only to the account of the task', async () => {
    const id = await submit({ ...boat, prompt: 'a secret' })
    const otherAccount = await service.newAccount(1)
    const response = await service.request('GET', `${tasksPath}/${id}`, { key: otherAccount.key })
    expect([response.status, response.text.includes('a secret')]).toEqual([404, false])
  })
})

describe('a list of tasks', () => {
  it('a list of tasks shows the beginning of each prompt, and all parameters with view=full', async () => {
    const longPrompt = 'A "long" prompt,\nwith a fox 🦊 and ümlauts. '.repeat(100)
    const id = await submit({ ...boat, prompt: longPrompt })
    const item = await readListedTask(id)
    expect(item.prompt).toBe(`${Array.from(longPrompt).slice(0, 100).join('')}…`)
    expect(item).not.toHaveProperty('parameters')
    const fullView = await readListedTask(id, '&view=full')
    expect(fullView).toEqual(await queryTask(id))
    expect(fullView.parameters.prompt).toBe(longPrompt)
    const shortId = await submit(boat)
    expect((await readListedTask(shortId)).prompt).toBe(boat.prompt)
  })

  it('a list of tasks shows completed tasks with the same link as a query', async () => {
    const id = await submit(boat)
    await service.startAll()
    await service.complete(id)
    const { parameters: _parameters, ...task } = await queryTask(id)
    expect(await readListedTask(id)).toEqual({ ...task, prompt: boat.prompt })
  })

  it('an unknown view of the task list is rejected', async () => {
    const response = await service.request('GET', `${tasksPath}?view=short`)
    expect([response.status, response.json.error.param]).toEqual([400, 'view'])
  })
})

it('a request with a data URI is recognized by its Idempotency-Key, and another image is another request', async () => {
  const body = { ...boat, reference_images: [dataUri(Buffer.from(plainPng(5, 5)))] }
  const headers = { 'idempotency-key': 'with-an-image' }
  const firstResponse = await service.request('POST', tasksPath, { body, headers })
  const repeated = await service.request('POST', tasksPath, { body, headers })
  expect([repeated.status, repeated.json.id, repeated.headers.get('idempotency-replayed')]).toEqual([
    202,
    firstResponse.json.id,
    'true',
  ])
  const otherBody = { ...boat, reference_images: [dataUri(Buffer.from(plainPng(5, 6)))] }
  expect((await service.request('POST', tasksPath, { body: otherBody, headers })).json.error.code).toBe('idempotency_key_reused')
})

function dataUri(image: Buffer): string {
  return `data:image/png;base64,${image.toString('base64')}`
}
