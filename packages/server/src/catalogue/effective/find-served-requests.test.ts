import { describe, expect, it } from 'vitest'
import type { ParameterSchema, RequestSchema } from '../model.ts'
import { findServedRequests, findTotalRefusal, type ServedRequests } from './find-served-requests.ts'
import { narrowParameter } from './narrow-parameter.ts'
import type { Refuse } from './request-search.ts'

const text: ParameterSchema = { type: 'string', description: '' }
const properties = {
  prompt: text,
  negative_prompt: text,
  reference_images: {
    type: 'array',
    items: { type: 'string', pattern: '^https:', description: '' },
    maxItems: 7,
    description: 'Images, 0 to 7.',
  },
  first_frame: text,
  last_frame: text,
  resolution: { type: 'string', enum: ['480p', '720p', '1080p'], default: '720p', description: '' },
  seconds: { type: 'integer', minimum: 3, maximum: 15, default: 5, description: '' },
  seed: { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1, description: '' },
} as const satisfies Record<string, ParameterSchema>
const schema: RequestSchema = {
  type: 'object',
  properties: { model: { ...text, const: 'a model' }, ...properties },
  required: ['model', 'prompt'],
  dependentRequired: { last_frame: ['first_frame'] },
  additionalProperties: false,
}

function servedRequestsOf(refuse: Refuse, extraProperties: Record<string, ParameterSchema> = properties): ServedRequests {
  const servedRequests = findServedRequests({ ...schema, properties: { ...schema.properties, ...extraProperties } }, refuse)
  if ('refusal' in servedRequests) throw new Error(servedRequests.refusal.message)
  return servedRequests
}

const refusalOf = (parameter: string) => ({ parameter, message: `${parameter} is wrong` })
const narrow = (name: keyof typeof properties, refuse: Refuse) => {
  const served = servedRequestsOf(refuse).served.get(name)
  return narrowParameter(properties[name], served === undefined ? [] : [served])
}

const refuseSeedOutOfRange: Refuse = ({ seed }) =>
  seed !== undefined && (seed < 17 || seed > 2 ** 31 - 1) ? refusalOf('seed') : null
const requireTwoImages: Refuse = ({ reference_images = [] }) =>
  reference_images.length === 2 ? null : refusalOf('reference_images')
const refuseTenSecondsAboveLowest: Refuse = ({ seconds, resolution }) =>
  seconds === 10 && resolution !== '480p' ? refusalOf('seconds') : null
const refuseFrameWithImages: Refuse = ({ first_frame, reference_images = [] }) =>
  first_frame !== undefined && reference_images.length > 0 ? refusalOf('reference_images') : null

const refuseSeedBelowOne: Refuse = ({ seed = 1 }) => (seed < 1 ? refusalOf('seed') : null)

describe('the served requests of a route', () => {
  it('a route that serves every value leaves the schema object unchanged', () => {
    const { served, smallest } = servedRequestsOf(() => null)
    for (const [name, schema] of Object.entries(properties))
      expect(narrowParameter(schema, [served.get(name) ?? { values: [] }])).toBe(schema)
    expect(smallest).toEqual([
      { needs: [], values: expect.objectContaining({ resolution: '720p', seconds: 5, seed: undefined }) },
    ])
  })

  it('the limits of a wide range are found by bisection, and a narrow range may become a list', () => {
    expect(narrow('seed', refuseSeedOutOfRange)).toMatchObject({ minimum: 17, maximum: 2 ** 31 - 1 })
    expect(narrow('seconds', ({ seconds = 0 }) => (seconds > 10 ? refusalOf('seconds') : null))).toMatchObject({
      minimum: 3,
      maximum: 10,
    })
    const { minimum, ...lengths } = {
      minimum: undefined,
      ...narrow('seconds', ({ seconds = 0 }) => (seconds % 5 > 0 ? refusalOf('seconds') : null)),
    }
    expect([minimum, lengths]).toEqual([undefined, expect.objectContaining({ enum: [5, 10, 15] })])
    expect(narrow('seconds', ({ seconds }) => (seconds === 7 ? null : refusalOf('seconds')))).toMatchObject({ const: 7 })
  })

  it('a range without a bound on one side is not narrowed on that side', () => {
    const { minimum: _minimum, maximum: _maximum, ...endless } = properties.seed
    const { smallest, served } = servedRequestsOf(() => null, { ...properties, seed: endless })
    expect(smallest).toHaveLength(1)
    expect(narrowParameter(endless, [served.get('seed') ?? { values: [] }])).toBe(endless)
    const half = { ...endless, minimum: -5 }
    const servedRequests = servedRequestsOf(refuseSeedBelowOne, { ...properties, seed: half })
    expect(narrowParameter(half, [servedRequests.served.get('seed') ?? { values: [] }])).toEqual({ ...half, minimum: 1 })
  })

  it.each([
    [{ minimum: 0, maximum: 2.5 }, 1.25, { maximum: 1.25 }],
    [{ minimum: 0.5, maximum: 2.3 }, 1.7, { maximum: 1.7 }],
    [{ minimum: 0, maximum: 1e308 }, 1e6, { minimum: 0 }],
    [{ minimum: -1e20, maximum: 1e20 }, 7, { maximum: 7 }],
  ])("the decimal range %j is narrowed to the route's limit %d", (bounds, limit, expected) => {
    const strength = { type: 'number', default: 1, description: '', ...bounds } as const
    const refuseAbove: Refuse = (parameters) =>
      Number((parameters as Record<string, unknown>)['strength'] ?? 0) > limit ? refusalOf('strength') : null
    const servedRequests = servedRequestsOf(refuseAbove, { ...properties, strength })
    expect(narrowParameter(strength, [servedRequests.served.get('strength') ?? { values: [] }])).toMatchObject(expected)
  })

  it('a list is narrowed to the shortest and longest served length, and so is its description', () => {
    expect(narrow('reference_images', requireTwoImages)).toMatchObject({
      minItems: 2,
      maxItems: 2,
      description: 'Images, 2 to 2.',
    })
    expect(servedRequestsOf(requireTwoImages).smallest).toMatchObject([
      { needs: ['reference_images'], values: { reference_images: { length: 2 } } },
    ])
  })

  it('a value that a route refuses in one combination only is still shown', () => {
    expect(narrow('seconds', refuseTenSecondsAboveLowest)).toBe(properties.seconds)
    expect(narrow('reference_images', refuseFrameWithImages)).toBe(properties.reference_images)
    expect(narrow('first_frame', refuseFrameWithImages)).toBe(properties.first_frame)
  })

  it('a parameter with a default is dropped only if the route accepts none of its values', () => {
    const refuseSeconds: Refuse = ({ seconds }) => (seconds === undefined ? null : refusalOf('seconds'))
    expect(servedRequestsOf(refuseSeconds).served.has('seconds')).toBe(false)
    expect(servedRequestsOf(refuseSeconds).smallest[0]?.values).toMatchObject({ seconds: undefined, resolution: '720p' })
    // The route accepts `seconds`, but only a value that the model does not have.
    const requireTwentySeconds: Refuse = ({ seconds }) => (seconds === undefined || seconds === 20 ? null : refusalOf('seconds'))
    expect(findTotalRefusal(schema, requireTwentySeconds)).toEqual(refusalOf('seconds'))
  })

  it('a route that needs many parameters keeps the defaults that it serves', () => {
    const neededNames = ['negative_prompt', 'reference_images', 'first_frame', 'last_frame', 'seed'] as const
    const refuseWithoutAll: Refuse = (parameters) => {
      const missingName = neededNames.find((name) => parameters[name] === undefined)
      return missingName === undefined ? null : refusalOf(missingName)
    }
    const { smallest } = servedRequestsOf(refuseWithoutAll)
    expect(smallest).toEqual([
      { needs: expect.arrayContaining([...neededNames]), values: expect.objectContaining({ resolution: '720p', seconds: 5 }) },
    ])
  })

  it('the search for supported values ends within its limit for a route that refuses every request', () => {
    let requestCount = 0
    const refuseAll: Refuse = (parameters) => {
      requestCount += 1
      return refusalOf(Object.keys(parameters)[requestCount % 4] ?? 'prompt')
    }
    expect(findTotalRefusal(schema, refuseAll)).toMatchObject({ message: / is wrong$/ })
    expect(requestCount).toBeLessThan(10_010)
  })
})
