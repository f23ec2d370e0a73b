import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startServer } from '../../packages/server/test/started-server.ts'

interface Turn {
  messages: { role: string; content: string; tool_call_id?: string }[]
  tools: { function: { name: string } }[]
}

it("the agent calls the tools that the model chooses if it may use them, and prints the model's response", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framegate-agent-'))
  const turns: Turn[] = []
  const call = { name: 'generate_image', arguments: '{"model": "imgA-5.0", "prompt": "a paper boat", "wait_seconds": 30}' }
  const chat = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    turns.push(JSON.parse(Buffer.concat(chunks).toString()) as Turn)
    const toolCalls = [
      { id: 'call_1', type: 'function', function: call },
      { id: 'call_2', type: 'function', function: { name: 'cancel_task', arguments: '{}' } },
    ]
    const message =
      turns.length === 1 ? { role: 'assistant', tool_calls: toolCalls } : { role: 'assistant', content: 'Here it is.' }
    response.end(JSON.stringify({ choices: [{ message }] }))
  }).listen(0, '127.0.0.1')
  await once(chat, 'listening')
  const server = await startServer(path.join(folder, 'data'))
  const program = fileURLToPath(new URL('agent.js', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'Make', 'a', 'boat.'], {
    env: {
      ...process.env,
      FRAMEGATE_URL: server.baseUrl,
      FRAMEGATE_API_KEY: server.apiKey,
      CHAT_URL: `http://127.0.0.1:${(chat.address() as AddressInfo).port}/v1`,
      CHAT_KEY: 'none',
      CHAT_MODEL: 'tiny',
    },
  })
  chat.close()
  expect(stdout).toBe('Here it is.\n')
  expect(turns[0]?.messages.at(-1)?.content).toBe('Make a boat.')
  expect(turns[0]?.tools.map((tool) => tool.function.name)).toContain('generate_image')
  const results = turns[1]?.messages.filter(({ role }) => role === 'tool') ?? []
  expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(['call_1', 'call_2'])
  expect(results[0]?.content).toContain('/media/')
  expect(results[1]?.content).toBe('There is no tool cancel_task.')
  const tasks = (await (await server.request('GET', '/v2/model-center/tasks')).json()) as { items: { status: string }[] }
  expect(tasks.items.map(({ status }) => status)).toEqual(['completed'])
  await server.stop()
  rmSync(folder, { recursive: true })
})
