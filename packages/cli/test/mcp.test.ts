import { afterAll, beforeAll, expect, it } from 'vitest'
import { runFramegate } from './run-framegate.ts'
import { startService, type StartedService } from './started-service.ts'

let service: StartedService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const lines = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('')
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const generate = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'generate_image', arguments: { model: 'imgA-5.0', prompt: 'a boat' }, _meta: { progressToken: 1 } },
}

it('framegate mcp forwards to the server, writes only messages to stdout, and ends with its input', async () => {
  const env = { FRAMEGATE_URL: service.baseUrl, FRAMEGATE_API_KEY: service.apiKey }
  const input = lines(initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }, generate)
  const { exitCode, stdout, stderr } = await runFramegate(['mcp'], { cwd: service.cwd, env, input })
  expect([exitCode, stderr]).toEqual([0, ''])
  const messages = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(messages[0]).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25', serverInfo: { name: 'Framegate' } } })
  expect(messages.at(-1)).toMatchObject({ id: 2, result: { structuredContent: { status: 'completed' } } })
  expect(messages.slice(1, -1).every(({ method }) => method === 'notifications/progress')).toBe(true)
})

it('framegate mcp reports a wrong key as an error of each request', async () => {
  const env = { FRAMEGATE_URL: service.baseUrl, FRAMEGATE_API_KEY: 'fg_live_wrong' }
  const { exitCode, stdout } = await runFramegate(['mcp'], { cwd: service.cwd, env, input: lines(initialize) })
  expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { id: 1, error: { code: -32000, data: { status: 401 } } }])
})

it('framegate mcp without a key ends with an error on stderr', async () => {
  const { exitCode, stdout, stderr } = await runFramegate(['mcp'], { cwd: service.cwd, env: { FRAMEGATE_URL: service.baseUrl } })
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain('No API key is set')
})
