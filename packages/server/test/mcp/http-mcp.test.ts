import { isDeepStrictEqual } from 'node:util'
import { mcpTools } from '@framegate/contract'
import type { CallToolResult, Progress } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Scope } from '../../src/auth/scopes.ts'
import type { WatchedTasks } from '../../src/db/change-feed.ts'
import { changed, openHttpService, type HttpService } from '../http-service.ts'
import { plainPng } from '../plain-png.ts'
import { connectClient, revisions, sendWithoutSession, taskIdOf, textOf, type ProtocolRevision } from './mcp-clients.ts'

let service: HttpService
/** The tasks that each request is waiting for. */
const waitedTasks: WatchedTasks[] = []
beforeAll(async () => {
  service = await openHttpService({
    changeStore: (store) =>
      changed(store, {
        onTaskChanged(listener, tasks) {
          if (tasks !== undefined) waitedTasks.push(tasks)
          return store.onTaskChanged(listener, tasks)
        },
      }),
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const image = { model: 'imgA-5.0', prompt: 'A paper boat', wait_seconds: 0 }
const video = { model: 'vidC2Stable', prompt: 'A train', wait_seconds: 0 }

/** Completes a task with a small image. */
async function complete(id: string): Promise<void> {
  await service.startAll()
  await service.complete(id, { bytes: plainPng(64, 48) })
}

/**
 * Resolves with the id of the task that a call with this prompt created, once the call waits for
 * it.
 */
async function waitForTaskId(prompt: string): Promise<string> {
  return await vi.waitFor(async () => {
    const { items } = (await service.request('GET', '/v2/model-center/tasks?limit=1')).json
    expect(items).toMatchObject([{ prompt }])
    expect(isWaitedFor(items[0].id)).toBe(true)
    return items[0].id
  })
}

function isWaitedFor(id: string): boolean {
  return waitedTasks.some((tasks) => tasks.has(id))
}

async function getTask(id: string): Promise<Record<string, unknown>> {
  return (await service.request('GET', `/v2/model-center/tasks/${id}`)).json
}

/**
 * Calls a tool, and expects the value that the HTTP interface returns. Repeats this if the value
 * changed meanwhile: once a minute, the links of a task get a later expiry.
 */
async function callAndCompare(callTool: () => Promise<CallToolResult>, read: () => Promise<unknown>): Promise<CallToolResult> {
  for (;;) {
    const valueBefore = await read()
    const result = await callTool()
    if (!isDeepStrictEqual(await read(), valueBefore)) continue
    expect(result.structuredContent).toEqual(valueBefore)
    return result
  }
}

/**
 * Returns the tools that a key with these scopes sees. Also checks that the key can call
 * `generate_image` only if it has the scope `tasks:write`.
 */
async function listAllowedTools(revision: ProtocolRevision, scopes: readonly Scope[]): Promise<string[]> {
  const { key } = await service.newAccount(1, scopes)
  const client = await connectClient(service, revision, { key })
  const { tools } = await client.listTools()
  const refused = await client.callTool({ name: 'generate_image', arguments: image })
  expect(refused.isError === true).toBe(!scopes.includes('tasks:write'))
  if (refused.isError === true) expect(textOf(refused)).toContain('lacks the scope tasks:write')
  await client.close()
  return tools.map(({ name }) => name)
}

describe.each(revisions)('MCP, revision %s', (revision) => {
  it('a client calls every tool, and each result agrees with the HTTP interface', async () => {
    const client = await connectClient(service, revision)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(mcpTools))
    const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args })

    const models = (await call('list_models', { kind: 'video', limit: 2 })).structuredContent as { items: { id: string }[] }
    const listed = (await service.request('GET', '/v2/model-center/models?object=video&limit=2')).json
    expect(models).toMatchObject({ items: listed.items.map(({ id }: { id: string }) => ({ id })), has_more: true })
    const read = async (path: string, body?: object): Promise<unknown> =>
      (await service.request(body === undefined ? 'GET' : 'POST', path, { body })).json
    await callAndCompare(
      () => call('get_model', { model: 'imgA-5.0' }),
      () => read('/v2/model-center/models/imgA-5.0'),
    )
    await callAndCompare(
      () => call('quote', { model: 'imgA-5.0', prompt: 'x', parameters: { resolution: '2K' } }),
      () => read('/v2/model-center/tasks/quote', { model: 'imgA-5.0', prompt: 'x', resolution: '2K' }),
    )
    const asset = await call('upload_asset', { url: 'https://images.example.com/boat.png' })
    expect(asset.structuredContent).toMatchObject({ object: 'asset', name: 'boat.png', content_type: 'image/png' })
    const reference = `asset:${taskIdOf(asset)}`

    const toolResult = await call('generate_image', { ...image, parameters: { seed: 7, reference_images: [reference] } })
    const id = taskIdOf(toolResult)
    expect(textOf(toolResult)).toContain(`Task ${id}: image by imgA-5.0 is queued`)
    const videoId = taskIdOf(await call('generate_video', { ...video, parameters: '{"seconds": 10}' }))
    expect(await getTask(videoId)).toMatchObject({ object: 'video', parameters: { seconds: 10, prompt: 'A train' } })
    const canceled = await call('cancel_task', { id: videoId })
    expect(canceled.structuredContent).toMatchObject({ id: videoId, status: 'failed', error_code: 'cancelled' })

    await complete(id)
    const shownTask = await callAndCompare(
      () => call('get_task', { id }),
      () => getTask(id),
    )
    const task = shownTask.structuredContent as Record<string, unknown>
    expect(shownTask.isError).not.toBe(true)
    const url = String(task['result_url'])
    expect(textOf(shownTask)).toContain(url)
    expect(textOf(shownTask)).toContain(new Date(Number(task['expires_at']) * 1000).toISOString())
    const [, link, poster] = shownTask.content
    expect(link).toMatchObject({ type: 'resource_link', uri: url, mimeType: 'image/png', name: `${id}.png` })
    expect(poster).toMatchObject({ type: 'image', mimeType: 'image/webp' })
    const webp = Buffer.from((poster as { data: string }).data, 'base64')
    expect([webp.toString('latin1', 8, 12), webp.byteLength < 200_000]).toEqual(['WEBP', true])

    const tasks = (await call('list_tasks', { kind: 'image', limit: 1 })).structuredContent
    expect(tasks).toMatchObject({ items: [{ id, prompt: 'A paper boat' }] })
    await callAndCompare(
      () => call('get_balance'),
      () => read('/v2/credits'),
    )
    await client.close()
  })

  it('a call waits for its task and reports the rising progress', async () => {
    const client = await connectClient(service, revision)
    const reports: Progress[] = []
    const calling = client.callTool(
      { name: 'generate_image', arguments: { ...image, wait_seconds: 20, prompt: `Progress ${revision}` } },
      { onprogress: (report) => void reports.push(report) },
    )
    await expect.poll(() => reports.length).toBe(1)
    const [, id = ''] = /(task_\w+)/.exec(reports[0]?.message ?? '') ?? []
    await service.startAll()
    await service.progress(id, 40)
    await expect.poll(() => reports.length, { timeout: 5_000 }).toBe(2)
    await complete(id)
    expect((await calling).structuredContent).toMatchObject({ id, status: 'completed' })
    expect(reports.map(({ progress, total }) => [progress, total])).toEqual([
      [0, 100],
      [40, 100],
    ])
    await client.close()
  })

  it('a cancelled call stops waiting, its task continues, and a retried call returns this task', async () => {
    const client = await connectClient(service, revision)
    const cancel = new AbortController()
    const calling = client.callTool(
      { name: 'generate_image', arguments: { ...image, wait_seconds: 50, prompt: `Cancelled ${revision}` } },
      { signal: cancel.signal },
    )
    const id = await waitForTaskId(`Cancelled ${revision}`)
    cancel.abort()
    await expect(calling).rejects.toThrow()
    await expect.poll(() => isWaitedFor(id)).toBe(false)
    expect(await getTask(id)).toMatchObject({ status: 'queued' })
    const repeated = { ...image, prompt: `Cancelled ${revision}` }
    expect(taskIdOf(await client.callTool({ name: 'generate_image', arguments: repeated }))).toBe(id)
    await client.close()
  })

  it('a failed generation is a result with an error that names the reason', async () => {
    const client = await connectClient(service, revision)
    const calling = client.callTool({
      name: 'generate_image',
      arguments: { ...image, wait_seconds: 20, prompt: `Fail ${revision}` },
    })
    const id = await waitForTaskId(`Fail ${revision}`)
    await service.startAll()
    await service.fail(id, { code: 'content_policy', message: 'The prompt was refused.' })
    const result = await calling
    expect([result.isError, textOf(result)]).toEqual([
      true,
      `Task ${id}: image by imgA-5.0 has failed (content_policy): The prompt was refused. Nothing was charged.`,
    ])
    await client.close()
  })

  it('the scopes of the key decide which tools are listed and may be called', async () => {
    expect(await listAllowedTools(revision, [])).toEqual(['list_models', 'get_model'])
    expect(await listAllowedTools(revision, ['tasks:read'])).toEqual([
      'list_models',
      'get_model',
      'quote',
      'get_task',
      'list_tasks',
      'get_balance',
    ])
    expect(await listAllowedTools(revision, ['tasks:write'])).toEqual([
      'list_models',
      'get_model',
      'generate_image',
      'generate_video',
      'cancel_task',
      'upload_asset',
    ])
  })

  it('an unknown tool and an unknown method are errors of JSON-RPC', async () => {
    const client = await connectClient(service, revision)
    await expect(client.callTool({ name: 'delete_all' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/the tools are list_models, get_model/),
    })
    // The client of the newer revision wraps a response with status 404 in an error of its own.
    await expect(client.request({ method: 'prompts/get', params: { name: 'x' } })).rejects.toMatchObject(
      revision === '2026-07-28' ? { status: 404, message: expect.stringContaining('"code":-32601') } : { code: -32601 },
    )
    await client.close()
  })
})

it.each<[string, Record<string, unknown>, RegExp]>([
  [
    'generate_image',
    { model: 'vidC2Stable', prompt: 'x' },
    /vidC2Stable generates videos; call generate_video\. \(invalid_parameter/,
  ],
  ['generate_video', { model: 'imgA-5.0', prompt: 'x' }, /imgA-5\.0 generates images; call generate_image\./],
  [
    'generate_image',
    { ...image, watermark: true },
    /no field 'watermark'; .*\. Pass the parameters of the model in 'parameters' /,
  ],
  ['generate_image', { ...image, promt: 'x' }, /There is no field 'promt'; did you mean 'prompt'\?/],
  ['generate_image', { ...image, wait_seconds: 51 }, /wait_seconds must be a number of seconds from 0 to 50/],
  ['generate_image', { ...image, parameters: { aspct_ratio: '1:1' } }, /aspect_ratio.*\(unknown_parameter/s],
  ['generate_image', { ...image, parameters: '[1' }, /parameters must be an object with further parameters/],
  ['generate_image', { ...image, parameters: { model: 'x' } }, /parameters must not contain model/],
  ['generate_image', { ...image, prompt: 'x'.repeat(1_000_000) }, /prompt.*\(invalid_parameter/s],
  ['generate_image', { ...image, idempotency_key: 'ä' }, /idempotency_key must be 1 to 255 printable ASCII/],
  ['generate_image', { ...image, model: 'ImgA 5.0' }, /the Model ID is "imgA-5\.0".*Call list_models/s],
  ['get_task', { id: 'task_0' }, /id must be the id of a task/],
  ['get_task', { id: `task_${'0'.repeat(12)}7000800000000000000f` }, /This account has no task with this id\. \(task_not_found/],
  ['upload_asset', { url: 'file:///etc/passwd' }, /url must be the public http or https address/],
  ['list_tasks', { cursor: 'x' }, /cursor must be the next_cursor of an earlier page/],
])('MCP, %s rejects wrong arguments with the reason, and nothing is charged (%#)', async (name, args, message) => {
  const client = await connectClient(service, '2025-11-25')
  const creditsBefore = (await service.request('GET', '/v2/credits')).json
  const result = await client.callTool({ name, arguments: args })
  expect(textOf(result)).toMatch(message)
  expect([result.isError, textOf(result).length < 2_000]).toEqual([true, true])
  expect((await service.request('GET', '/v2/credits')).json).toEqual(creditsBefore)
  await client.close()
})

const generate = (prompt: string, args: Record<string, unknown> = {}) =>
  sendWithoutSession(
    service,
    'tools/call',
    { name: 'generate_image', arguments: { model: 'imgA-5.0', prompt, ...args } },
    { mcpName: 'generate_image' },
  )
const requestTask = (method: string, taskId: string, key?: string) =>
  sendWithoutSession(service, method, { taskId }, { mcpName: taskId, ...(key !== undefined && { key }) })

describe('MCP, tasks extension', () => {
  it('a call returns a task immediately, and tasks/get returns its result', async () => {
    const { result } = (await generate('A task')).json
    const { taskId } = result
    expect(result).toMatchObject({
      resultType: 'task',
      status: 'working',
      statusMessage: 'queued, 0 %',
      ttlMs: null,
      pollIntervalMs: 5000,
    })
    expect((await requestTask('tasks/get', taskId)).json.result).toMatchObject({
      taskId,
      status: 'working',
      resultType: 'complete',
    })
    await complete(taskId)
    const endedTask = (await requestTask('tasks/get', taskId)).json.result
    expect(endedTask).toMatchObject({ taskId, status: 'completed', ttlMs: expect.any(Number) })
    expect(endedTask.result.content).toMatchObject([{ type: 'text' }, { type: 'resource_link' }, { type: 'image' }])
    expect(endedTask.result.structuredContent).toEqual(await getTask(taskId))
  })

  it('tasks/cancel cancels a queued task and leaves an ended one as it is', async () => {
    const { taskId } = (await generate('To be cancelled')).json.result
    expect((await requestTask('tasks/cancel', taskId)).json.result).toMatchObject({ resultType: 'complete' })
    expect((await requestTask('tasks/get', taskId)).json.result).toMatchObject({ status: 'cancelled' })
    expect((await requestTask('tasks/cancel', taskId)).json.error).toBeUndefined()
    expect(await getTask(taskId)).toMatchObject({ status: 'failed', error_code: 'cancelled', amount: 0 })
  })

  it('requests are rejected if the task belongs to another account, the key has no scopes, or the task id is missing', async () => {
    const { taskId } = (await generate('Private')).json.result
    const otherAccount = await service.newAccount(1)
    const accountWithoutScopes = await service.newAccount(1, [])
    for (const method of ['tasks/get', 'tasks/cancel']) {
      expect((await requestTask(method, taskId, otherAccount.key)).json.error).toMatchObject({
        code: -32602,
        data: { code: 'task_not_found' },
      })
      expect((await requestTask(method, taskId, accountWithoutScopes.key)).json.error).toMatchObject({
        code: -32602,
        data: { code: 'key_scope_missing' },
      })
    }
    expect((await sendWithoutSession(service, 'tasks/get', {}, { mcpName: 'x' })).json.error).toMatchObject({ code: -32602 })
  })
})
