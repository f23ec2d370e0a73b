import { expect, it } from 'vitest'
import type { Model } from '../api/types.ts'
import { bodyOf, messagesByParameter, valuesOfTask, withTypes } from './request-state.ts'

const model = {
  id: 'm',
  parameters: {
    properties: {
      model: { type: 'string' },
      prompt: { type: 'string' },
      seconds: { type: 'integer' },
      audio: { type: 'boolean' },
      reference_images: { type: 'array' },
    },
  },
} as unknown as Model

it("the body of a request has the model and the values of the model's parameters, without empty ones", () => {
  const values = { prompt: 'a boat', seconds: 0, audio: false, reference_images: [], other: 1, seed: undefined }
  expect(bodyOf(model, values)).toEqual({ model: 'm', prompt: 'a boat', seconds: 0, audio: false })
})

it("values from the page's URL get the types of their parameters", () => {
  const values = { prompt: '12', seconds: '12', audio: 'true', reference_images: 'a,b' }
  expect(withTypes(model, values)).toEqual({ prompt: '12', seconds: 12, audio: true, reference_images: ['a', 'b'] })
})

it('the parameters of an earlier task fill the form, except for files that were sent as data URIs', () => {
  const file = { content_type: 'image/png', size_bytes: 1, sha256: 'x' }
  const parameters = { prompt: 'a boat', first_frame: file, reference_images: [file, 'asset:1'] }
  expect(valuesOfTask({ parameters } as never)).toEqual({ prompt: 'a boat', reference_images: ['asset:1'] })
})

it('the message of a parameter is the first violation of it or of a part of it', () => {
  const messages = messagesByParameter([
    { pointer: '/reference_images/0', message: 'first' },
    { pointer: '/reference_images/1', message: 'second' },
    { pointer: '/a~1b', message: 'escaped' },
  ])
  expect([...messages]).toEqual([
    ['reference_images', 'first'],
    ['a/b', 'escaped'],
  ])
})
