import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client'
import type { HttpService } from '../http-service.ts'

export const revisions = ['2025-11-25', '2026-07-28'] as const
export type ProtocolRevision = (typeof revisions)[number]

interface ClientOptions {
  key?: string
  headers?: Record<string, string>
  /** Default: the endpoint of the service. */
  url?: string
}

/** Connects the official client with one revision of the protocol. */
export async function connectClient(
  service: HttpService,
  revision: ProtocolRevision,
  options: ClientOptions = {},
): Promise<Client> {
  const { key = service.key, headers = {}, url = `${service.baseUrl}/mcp` } = options
  const client = new Client(
    { name: 'test', version: '1' },
    revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {},
  )
  const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  return client
}

/** Returns the texts of a tool result. */
export function textOf({ content }: Pick<CallToolResult, 'content'>): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** Returns the task id in a tool result. */
export function taskIdOf({ structuredContent }: Pick<CallToolResult, 'structuredContent'>): string {
  return (structuredContent as { id: string }).id
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

/** Sends a raw request of revision 2026-07-28, as a client that declares the tasks extension. */
export async function sendWithoutSession(
  service: HttpService,
  method: string,
  params: Record<string, unknown>,
  { key = service.key, mcpName = '' }: { key?: string; mcpName?: string } = {},
  // The type is `any`, because a test reads the expected fields and fails if they are missing.
  // oxlint-disable-next-line typescript/no-explicit-any
): Promise<{ status: number; json: any }> {
  const capabilities = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } } }
  const response = await fetch(`${service.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(mcpName !== '' && { 'mcp-name': mcpName }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...meta, ...capabilities } } }),
  })
  return { status: response.status, json: await response.json() }
}
