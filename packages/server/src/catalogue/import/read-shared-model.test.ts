import { expect, it } from 'vitest'
import { readSharedModel } from './read-shared-model.ts'

const chat = { id: 'harbor-chat', object: 'chat', max_input_tokens: 8000, max_output_tokens: 1000 }

it('a shared token model may be the definition itself, or have routes beside it', () => {
  const tokens = { inputMax: 8000, outputMax: 1000 }
  expect(readSharedModel(chat)).toMatchObject({ suggestedId: 'harbor-chat', tokens, routes: [] })
  const routes = [{ upstream_model: 'gpt-4.1-mini' }]
  expect(readSharedModel({ driver: 'openai', model: chat, routes })).toMatchObject({
    tokens,
    routes: [{ label: 'gpt-4.1-mini' }],
  })
})

it('a document that is neither a model nor a model with routes is refused', () => {
  expect(() => readSharedModel({ id: 'harbor-chat' })).toThrow('The definition must be a model, or have a model and its routes.')
})
