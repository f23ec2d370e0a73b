import type { Model } from '@framegate/sdk'
import { expect, it } from 'vitest'
import { modelPage } from './model-page.ts'

it.each<[object, string]>([
  [{ type: 'integer', minimum: 3, maximum: 15 }, '3 to 15'],
  [{ type: 'number', maximum: 5 }, 'at most 5'],
  [{ type: 'number', minimum: 0.5 }, 'at least 0.5'],
  [{ type: 'array', items: { type: 'string' }, maxItems: 7 }, '0 to 7 entries'],
  [{ type: 'string', maxLength: 100 }, '0 to 100 characters'],
])('the page of a model shows the allowed values of %j as "%s"', (schema, text) => {
  const model = {
    id: 'm',
    type: 'video',
    title: 'M',
    description: '',
    capabilities: [],
    parameters: { required: [], properties: { model: {}, own: schema } },
    narrowed: [],
    price: { unit: 'task', credits: { '*': 1 } },
    limits: { deadline_seconds: 60 },
    fixed_resolution: null,
    available: true,
    endpoints: {},
  } as unknown as Model
  expect(modelPage(model)).toMatch(/^M\n\nModel ID/)
  expect(modelPage(model)).toMatch(new RegExp(`\\nown +\\S.*  ${text.replaceAll('.', '\\.')}$`, 'm'))
})
