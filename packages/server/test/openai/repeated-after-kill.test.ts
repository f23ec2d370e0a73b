import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startServer, type StartedServer } from '../started-server.ts'

interface TaskList {
  items: { id: string }[]
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-repeated-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** Calls a tool as an agent that waits for its image. */
function callTool({ baseUrl, apiKey }: StartedServer, waitSeconds: number): Promise<Response> {
  const parameters = { simulate: { queued_seconds: 600 } }
  const args = { model: 'imgA-5.0', prompt: 'A boat', parameters, wait_seconds: waitSeconds }
  return fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'generate_image', arguments: args } }),
  })
}

it('retries of a submit and of an MCP call after the service was killed return the first tasks', async () => {
  const body = { model: 'vidC2Stable', prompt: 'A train', simulate: { queued_seconds: 600 } }
  const submit = async (service: StartedServer, retryCount: number): Promise<string> => {
    const headers = { 'x-stainless-retry-count': String(retryCount) }
    return ((await (await service.request('POST', '/v1/videos', body, headers)).json()) as { id: string }).id
  }
  const killed = await startServer(dataDir)
  // The response begins with its first progress message, which comes later than the kill.
  const interruptedCall = callTool(killed, 50)
  interruptedCall.catch(() => {})
  const listTasks = async () => (await (await killed.request('GET', '/v2/model-center/tasks?object=image')).json()) as TaskList
  await expect.poll(async () => (await listTasks()).items.length).toBe(1)
  const [image] = (await listTasks()).items
  // Kills the service within the second after which a response counts as received.
  const firstId = await submit(killed, 0)
  await killed.kill()
  await expect(interruptedCall).rejects.toThrow()
  const restarted = await startServer(dataDir)
  expect(await submit(restarted, 1)).toBe(firstId)
  expect(await submit(restarted, 0)).not.toBe(firstId)
  const called = await (await callTool(restarted, 0)).text()
  expect(called).toContain(`Task ${image?.id}: image by imgA-5.0 is`)
  expect(called).toContain('This call repeats an earlier one')
  await restarted.stop()
})
