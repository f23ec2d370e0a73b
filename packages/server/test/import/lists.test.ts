import { describe, expect, it } from 'vitest'
import { readModelDocument } from '../../src/catalogue/definitions/read-model-document.ts'
import type { ImportedModel } from '../../src/catalogue/import/imported-model.ts'
import { modelOfOpenaiList, readOpenaiList } from '../../src/catalogue/import/openai/openai-list.ts'
import { readCapabilityRow } from '../../src/catalogue/import/openrouter/capability-row.ts'
import { readRouteInput } from '../../src/routing/configuration/read-route-input.ts'
import { openaiModels, openrouterVideoModels } from './model-lists.ts'

function violationsOf({ suggestedId: id, object, title, description, parameters, required }: ImportedModel): unknown {
  return readModelDocument({ id, object, title, description, parameters, required }).violations
}

describe('an OpenAI-style list of models', () => {
  it('the ids of an OpenAI-style list are read once each, without the invalid ones', () => {
    expect(readOpenaiList(openaiModels, 'studio').map(({ id }) => id)).toEqual([
      'sora-2',
      'gpt-image-1.5',
      'org/wan-2.7-t2v',
      'gpt-5',
      'mystery',
    ])
  })

  it.for([
    ['sora-2', 'video', ['prompt', 'first_frame', 'aspect_ratio', 'resolution', 'seconds']],
    ['gpt-image-1.5', 'image', ['prompt', 'reference_images', 'aspect_ratio', 'resolution']],
    ['org/wan-2.7-t2v', 'video', ['prompt', 'first_frame', 'aspect_ratio', 'resolution', 'seconds']],
  ] as const)("the model %s is imported as a %s with the parameters of OpenAI's API", ([id, object, names]) => {
    const model = modelOfOpenaiList(readOpenaiList(openaiModels, 'studio'), id, 'studio')
    expect(model.object).toBe(object)
    expect(Object.keys(model.parameters)).toEqual(names)
    expect(model.routes).toEqual([{ label: 'model', upstreamModel: id }])
    expect(violationsOf(model)).toEqual([])
  })

  it('a model whose name does not show its kind needs --object, and an unknown model or an invalid list is rejected', () => {
    const unknownKindList = [{ id: 'mystery', contextTokens: null }]
    expect(() => modelOfOpenaiList(unknownKindList, 'mystery', 'studio')).toThrow('set it with --object')
    expect(modelOfOpenaiList(unknownKindList, 'mystery', 'studio', 'image').object).toBe('image')
    expect(() => modelOfOpenaiList(unknownKindList, 'sora-3', 'studio')).toThrow('studio has no model sora-3.')
    expect(() => readOpenaiList({ data: 'x' }, 'studio')).toThrow('has no list data')
    expect(() => readOpenaiList({ data: [] }, 'studio')).toThrow('lists no models')
    const tooManyModels = Array.from({ length: 5_001 }, (_, index) => ({ id: `m${index}` }))
    expect(() => readOpenaiList({ data: tooManyModels }, 'studio')).toThrow('more than 5000 models')
  })
})

describe("a row of OpenRouter's list", () => {
  it('capabilities of an OpenRouter model become the values of its parameters', () => {
    const model = readCapabilityRow(openrouterVideoModels, 'google/veo-3.1')
    expect(model).toMatchObject({
      object: 'video',
      title: 'Google: Veo 3.1',
      parameters: {
        aspect_ratio: { enum: ['16:9', '9:16'] },
        resolution: { enum: ['720p', '1080p', '4K'] },
        seconds: { enum: [4, 6, 8] },
        audio: {},
        seed: {},
      },
      priceHint: 'duration_seconds_with_audio: 0.40, duration_seconds_without_audio: 0.20',
    })
    expect(model.routes[0]?.input).toMatchObject({
      seconds: { field: 'duration', enum: [4, 6, 8] },
      audio: { field: 'generate_audio' },
    })
    expect(model.notes.map(({ message }) => message)).toEqual([
      'Values that only this model has can be requested too: 4K.',
      'first_frame, last_frame: frames are sent as a list of objects, which a route cannot describe.',
    ])
  })

  it.each(['google/veo-3.1', 'kwaivgi/kling-v3', 'unknown/everything'])("OpenRouter's %s becomes a valid definition", (id) => {
    const model = readCapabilityRow(openrouterVideoModels, id)
    expect(violationsOf(model)).toEqual([])
    expect(readRouteInput(model.routes[0]?.input ?? {})).toEqual(model.routes[0]?.input)
  })

  it('unknown capabilities of an OpenRouter model are not offered, and an unknown model or an invalid list is rejected', () => {
    expect(Object.keys(readCapabilityRow(openrouterVideoModels, 'unknown/everything').parameters)).toEqual(['prompt'])
    expect(() => readCapabilityRow(openrouterVideoModels, 'google/veo-9')).toThrow('has no model google/veo-9.')
    expect(() => readCapabilityRow({ data: {} }, 'a/b')).toThrow('has no list data')
  })
})
