// The first generation of the official MCP client, over HTTP and with `framegate mcp`.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { callEveryTool, requestInit, url } from './every-tool.mjs'

const bridge = new StdioClientTransport({ command: process.execPath, args: [process.env.FRAMEGATE_CLI, 'mcp'], env: process.env })
for (const transport of [new StreamableHTTPClientTransport(url, { requestInit }), bridge]) {
  const client = new Client({ name: 'v1', version: '1' })
  await client.connect(transport)
  await callEveryTool(client, (name, args, onprogress) => client.callTool({ name, arguments: args }, undefined, { onprogress }))
  await client.close()
}
