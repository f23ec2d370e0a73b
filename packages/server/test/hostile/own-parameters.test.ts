import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHttpService, type HttpService } from '../http-service.ts'

const id = 'own'
const textItem = { type: 'string' }
const definition = {
  id,
  object: 'image',
  parameters: {
    prompt: {},
    guidance: { type: 'number' },
    words: { type: 'array', items: textItem },
    unique: { type: 'array', items: textItem, maxItems: 300, uniqueItems: true },
    free: { type: 'object', additionalProperties: true },
  },
  required: ['prompt'],
  price: { per_image: 1 },
}

let service: HttpService
beforeAll(async () => {
  service = await openHttpService()
  expect((await service.request('POST', '/admin/v1/models', { body: definition })).status).toBe(201)
})
afterAll(() => service[Symbol.asyncDispose]())

const numberedWords = (count: number) => Array.from({ length: count }, (_, index) => `word ${index}`)

describe('a value of an operator-defined parameter', () => {
  it.each([
    [
      'one item more than a list may have',
      { words: numberedWords(101) },
      'words must be a list of 0 to 100 texts; got a list of 101',
    ],
    ['a thousand items too many', { words: numberedWords(1_100) }, 'words must be a list of 0 to 100 texts; got a list of 1100'],
    [
      'an invalid item at the end of a long list',
      { unique: [...numberedWords(200), 5] },
      'unique[200] must be a text of 0 to 10,000 characters; got 5',
    ],
    [
      'a repeated item at the end of a long list',
      { unique: [...numberedWords(200), 'word 199'] },
      'unique must be a list of 0 to 300 texts; got a list of 201',
    ],
    [
      'more properties than an object may have',
      { free: Object.fromEntries(numberedWords(101).map((name) => [name, 1])) },
      'free must be an object of at most 100 properties; got an object of 101',
    ],
    ['a number as text', { guidance: '5' }, 'guidance must be a number; got "5"'],
  ])('a value that a parameter does not accept is refused: %s', async (_, parameters, message) => {
    const { status, json } = await service.request('POST', '/v2/model-center/tasks', {
      body: { model: id, prompt: 'x', ...parameters },
    })
    expect([status, json.error.message]).toEqual([400, message])
  })

  it('a number that overflows to Infinity is rejected, and no credits are held', async () => {
    const rawBody = `{"model": "${id}", "prompt": "x", "guidance": 1e400}`
    const headers = { 'content-type': 'application/json' }
    const { status, json } = await service.request('POST', '/v2/model-center/tasks', { rawBody, headers })
    expect([status, json.error.message]).toEqual([400, 'guidance must be a number; got Infinity'])
    expect((await service.request('GET', '/v2/credits')).json).toMatchObject({ balance: 1000, held: 0 })
  })

  it.each(['toString', 'valueOf', 'hasOwnProperty', 'constructor', '__proto__', '__defineGetter__'])(
    'a definition cannot have a parameter named %s',
    async (name) => {
      const body = `{"id": "other", "object": "image", "parameters": {"prompt": {}, "${name}": {"type": "string"}}}`
      const headers = { 'content-type': 'application/json' }
      const { status, json } = await service.request('POST', '/admin/v1/models', { rawBody: body, headers })
      expect([status, json.error.message]).toEqual([400, expect.stringContaining(`parameters.${name} must be a name`)])
    },
  )
})
