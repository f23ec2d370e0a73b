// The second generation of the official MCP client, in both revisions of the protocol, and with the
// tasks extension.
import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { callEveryTool, requestInit, url } from './every-tool.mjs'

const http = () => new StreamableHTTPClientTransport(url, { requestInit })
const bridge = () =>
  new StdioClientTransport({ command: process.execPath, args: [process.env.FRAMEGATE_CLI, 'mcp'], env: process.env })
for (const [transport, options, revision] of [
  [http(), {}, '2025-11-25'],
  [http(), { versionNegotiation: { mode: 'auto' } }, '2026-07-28'],
  [bridge(), { versionNegotiation: { mode: 'auto' } }, '2026-07-28'],
]) {
  const client = new Client({ name: 'v2', version: '1' }, options)
  await client.connect(transport)
  assert.equal(client.getNegotiatedProtocolVersion(), revision)
  await callEveryTool(client, (name, args, onprogress) => client.callTool({ name, arguments: args }, { onprogress }))
  await client.close()
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'v2', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
}
async function send(method, name, params) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...requestInit.headers,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      'Mcp-Name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  })
  return (await response.json()).result
}
const created = await send('tools/call', 'generate_image', {
  name: 'generate_image',
  arguments: { model: 'imgA-5.0', prompt: 'a lake at dawn' },
})
assert.ok(isCreateTaskResultV2(created), JSON.stringify(created))
const { taskId } = created
let task
do {
  await new Promise((resolve) => setTimeout(resolve, 200))
  task = await send('tasks/get', taskId, { taskId })
  assert.ok(isDetailedTaskV2(task), JSON.stringify(task))
} while (task.status === 'working')
assert.equal(task.status, 'completed')
assert.deepEqual(
  task.result.content.map(({ type }) => type),
  ['text', 'resource_link', 'image'],
)
