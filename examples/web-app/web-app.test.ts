import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type StartedServer } from '../../packages/server/test/started-server.ts'

let folder: string
let server: StartedServer
let app: ChildProcess
let origin: string
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-web-app-'))
  server = await startServer(path.join(folder, 'data'), { FRAMEGATE_ALLOW_HOSTS: '127.0.0.1' })
  app = spawn(process.execPath, [fileURLToPath(new URL('server.js', import.meta.url))], {
    env: { ...process.env, FRAMEGATE_URL: server.baseUrl, FRAMEGATE_API_KEY: server.apiKey, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (app.stdout === null) throw new Error('the app has no output')
  const [line] = (await once(createInterface({ input: app.stdout }), 'line')) as [string]
  origin = line.slice(line.indexOf('http'))
})
afterAll(async () => {
  app.kill()
  await server.stop()
  rmSync(folder, { recursive: true })
})

async function post(target: string, body: unknown): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return fetch(origin + target, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function videos(): Promise<{ id: string; prompt: string; status: string; url?: string }[]> {
  return (await (await fetch(`${origin}/videos`)).json()) as { id: string; prompt: string; status: string; url?: string }[]
}

it('the web app serves its page', async () => {
  const response = await fetch(origin)
  expect(response.headers.get('content-type')).toContain('text/html')
  expect(await response.text()).toContain('<form>')
})

it('two requests to the web app with the same id create one video, and a webhook completes it', async () => {
  const request = { id: randomUUID(), prompt: 'a red fox' }
  const [first, second] = await Promise.all([post('/videos', request), post('/videos', request)])
  expect([first.status, second.status]).toEqual([202, 202])
  const states = async () => (await videos()).map(({ prompt, status }) => `${prompt} ${status}`)
  await expect.poll(states, { timeout: 30_000 }).toEqual(['a red fox completed'])
  const [video] = await videos()
  const file = await fetch(video?.url ?? '')
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'video/mp4'])
})

it('the web app rejects an invalid request, and a webhook that is not signed', async () => {
  expect((await post('/videos', { id: 'x', prompt: 'x' })).status).toBe(400)
  expect((await post('/videos', { id: randomUUID(), prompt: '' })).status).toBe(400)
  expect((await post('/webhook', { type: 'task.completed', data: { id: 'task_1' } })).status).toBe(401)
  expect(await videos()).toHaveLength(1)
})
