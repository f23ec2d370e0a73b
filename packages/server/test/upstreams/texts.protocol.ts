import { openaiProtocol } from './openai.protocol.ts'
import type { Protocol } from './simulator.ts'

/** Simulates OpenAI's API with a chat model that echoes the user's message. */
export const textsProtocol: Protocol = {
  ...openaiProtocol,
  respond(request, stage, simulator) {
    if (request.url.pathname !== '/v1/chat/completions') return openaiProtocol.respond(request, stage, simulator)
    const messages = request.json?.messages
    if (typeof request.json?.model !== 'string' || !Array.isArray(messages)) {
      return { status: 400, json: { error: { message: 'model and messages are required', code: 'missing_required_parameter' } } }
    }
    return { status: 200, json: chatCompletion(chatTextOf(messages.at(-1)?.content)) }
  },
}

export function chatTextOf(content: unknown): string {
  return `Written about: ${typeof content === 'string' ? content : JSON.stringify(content)}`
}

/** Returns the chat completion of an upstream. `fields` are added to its message. */
export function chatCompletion(content: unknown, finish_reason = 'stop', fields: object = {}) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'gpt-5-mini',
    choices: [{ index: 0, message: { role: 'assistant', content, refusal: null, ...fields }, finish_reason }],
    usage: { prompt_tokens: 90, completion_tokens: 30, total_tokens: 120 },
  }
}
