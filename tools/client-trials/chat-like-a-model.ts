import {
  beginStream,
  completion,
  defaultBehavior,
  deltaEvent,
  endStream,
  sendDelta,
  sendJson,
  words,
  type Behavior,
  type ChatBody,
} from '../../packages/server/test/chat/chat-upstream.ts'

const color = { color: 'red' }

/**
 * Simulates a chat model: calls the first tool once, writes JSON for a schema, and begins a stream
 * with the role, which OpenAI's client requires. All other requests get the default response.
 */
export const chatLikeModel: Behavior = (exchange) => {
  const { body, response } = exchange
  if (body['tools'] !== undefined && !hasToolResult(body)) return callTool(exchange)
  if (body['messages'] !== undefined && body['stream'] === true) return streamText(exchange)
  const isJson = body['response_format']?.type === 'json_schema'
  return isJson ? sendJson(response, 200, completion(body, JSON.stringify(color))) : defaultBehavior(exchange)
}

function streamText({ body, response }: Parameters<Behavior>[0]): void {
  beginStream(response)
  sendDelta(response, body, { role: 'assistant', content: '' })
  for (const word of words) sendDelta(response, body, { content: word })
  endStream(response, body)
}

function callTool({ body, response }: Parameters<Behavior>[0]): void {
  const { name } = body['tools'][0].function as { name: string }
  const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify({ thing: 'boat' }) } }
  if (body['stream'] === true) {
    beginStream(response)
    response.write(deltaEvent(body, { role: 'assistant', tool_calls: [call] }))
    response.write(deltaEvent(body, {}, { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }))
    response.end('data: [DONE]\n\n')
    return
  }
  const message = { role: 'assistant', content: null, tool_calls: [call] }
  sendJson(response, 200, { ...completion(body, ''), choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
}

function hasToolResult({ messages }: ChatBody): boolean {
  return (messages as { role: string }[]).some(({ role }) => role === 'tool')
}
