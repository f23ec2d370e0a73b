import { reference, type Example, type Paths, type Response } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { openAiExamples as examples } from './openai-examples.ts'
import { operation } from './operation.ts'

const source = "an addition of Framegate, compatible with OpenAI's API."

const errors = [
  'BadTokenRequest',
  'InsufficientCredits',
  'ForbiddenTask',
  'ModelNotFound',
  'BodyTooLarge',
  'UnsupportedMediaType',
  'ContentRefused',
  'AtCapacity',
  'Unavailable',
  'UpstreamTimeout',
] as const

const charges =
  'Credits are held for the tokens of the request and of the longest possible response. The charge is based on the tokens that ' +
  'the provider reports, and never exceeds the hold.'

/**
 * A response that is a stream of events if the request has `stream`. The document describes only
 * the JSON form, because client generators support only one content type.
 */
function streamableResponse(description: string, schema: string, shownExamples: Record<string, Example>): Response {
  return jsonResponse({
    description: `${description} With \`stream\`, the body is \`text/event-stream\`.`,
    schema: reference('schemas', schema),
    examples: shownExamples,
  })
}

/** Operations for token models. */
export const forwardOperations: Paths = {
  '/v1/chat/completions': {
    post: operation({
      tag: 'OpenAI',
      source,
      id: 'openAiCreateChat',
      summary: 'Create a chat completion',
      description: `Forwards the request to a provider of the chat model, and returns its response. ${charges}`,
      key: 'tasks:write',
      body: { schema: reference('schemas', 'OpenAiChatRequest'), examples: { chat: examples.chatBody } },
      responses: { 200: streamableResponse('The response of the provider.', 'OpenAiChat', { chat: examples.chat }) },
      errors: [...errors],
    }),
  },
  '/v1/responses': {
    post: operation({
      tag: 'OpenAI',
      source,
      id: 'openAiCreateResponse',
      summary: 'Create a response',
      description:
        'Forwards the request to a provider of the chat model that supports this endpoint. Responses are not stored, so each ' +
        `request must contain the whole conversation. ${charges}`,
      key: 'tasks:write',
      body: { schema: reference('schemas', 'OpenAiResponseRequest'), examples: {} },
      responses: { 200: streamableResponse('The response of the provider.', 'OpenAiForwarded', {}) },
      errors: [...errors],
    }),
  },
  '/v1/embeddings': forwardedPath('openAiCreateEmbeddings', 'Create embeddings', 'embedding'),
  '/v1/moderations': forwardedPath('openAiCreateModeration', 'Moderate texts', 'moderation'),
}

function forwardedPath(id: string, summary: string, object: string): Paths[string] {
  return {
    post: operation({
      tag: 'OpenAI',
      source,
      id,
      summary,
      description: `Forwards the request to a provider of the ${object} model, and returns its response. ${charges}`,
      key: 'tasks:write',
      body: { schema: reference('schemas', 'OpenAiInputRequest'), examples: {} },
      responses: {
        200: jsonResponse({
          description: 'The response of the provider.',
          schema: reference('schemas', 'OpenAiForwarded'),
          examples: {},
        }),
      },
      errors: [...errors],
    }),
  }
}
