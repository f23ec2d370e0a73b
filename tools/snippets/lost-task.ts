import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import type { Task } from '@framegate/contract'
import type { StartedServer } from '../../packages/server/test/started-server.ts'

const model = 'vidK O3 Video Generation'

/**
 * Creates a task whose upstream closes the connection after it has received the submit, and returns
 * the failed task. Only an operator can resolve its attempt.
 */
export async function loseTask(service: StartedServer): Promise<Task> {
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await service.request(method, path, body)
    if (!response.ok) throw new Error(`${method} ${path} got HTTP ${response.status}: ${await response.text()}`)
    return response.status === 204 ? undefined : response.json()
  }
  const closingServer = createServer((socket) => socket.once('data', () => socket.destroy()))
  const base_url = await listenOnLoopback(closingServer)
  try {
    await send('PUT', '/admin/v1/upstreams/deaf', { driver: 'openai', base_url, api_key: 'any' })
    await send('PUT', '/admin/v1/routes/deaf', { model, upstream: 'deaf', upstream_model: 'sora-2' })
    const { id } = (await send('POST', '/v2/model-center/tasks', { model, prompt: 'a kite over dunes', seconds: 5 })) as Task
    const task = (await send('GET', `/v2/model-center/tasks/${id}?wait=60`)) as Task
    if (task.error_code !== 'lost_upstream') throw new Error(`the task is ${task.status}, and not lost`)
    await send('DELETE', '/admin/v1/routes/deaf')
    await send('DELETE', '/admin/v1/upstreams/deaf')
    return task
  } finally {
    closingServer.close()
  }
}

/** Starts a server on a free local port, and returns the base URL for an upstream. */
async function listenOnLoopback(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
