import { aspectRatios, imageResolutions, videoResolutions } from '@framegate/contract'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { GenerationRequest } from '../../src/drivers/driver.ts'
import type { GenerationParameters } from '../../src/catalogue/generation-parameters.ts'
import { imageFamilies, videoFamilies } from '../../src/drivers/fal/endpoint-families.ts'
import { falDriver } from '../../src/drivers/fal/fal-driver.ts'
import { connectDriver, dot, requestOf } from './driver-spec.ts'
import { falKey, falProtocol } from './fal.protocol.ts'
import { Simulator } from './simulator.ts'
import { startContext } from '../start-context.ts'

// The types of fal's own client are generated from the schemas of its endpoints.
const declarations = readFileSync(new URL('types/endpoints.d.ts', import.meta.resolve('@fal-ai/client')), 'utf8')

const clip = 'https://example.com/clip.mp4'

/** Each endpoint that the client declares, with the name of its input type. */
const declaredEndpoints = Array.from(
  declarations.matchAll(/"([\w./-]+)": \{\s+input: (\w+);/g),
  ([, endpoint = '', type = '']) => ({
    endpoint,
    type,
  }),
)

function declaredFields(type: string): Record<string, string> {
  const alias = new RegExp(`export type ${type} = (\\w+);`).exec(declarations)?.[1]
  if (alias !== undefined) return declaredFields(alias)
  const body = new RegExp(`export type ${type} = \\{\\n(.*?)\\n\\};`, 's').exec(declarations)?.[1] ?? ''
  const fields = body.replaceAll(/\/\*\*.*?\*\//gs, '').matchAll(/(\w+)\??: ([^;]+);/g)
  return Object.fromEntries(Array.from(fields, ([, name = '', values = '']) => [name, values]))
}

function violationOf(declared: string | undefined, value: unknown): string | null {
  if (declared === undefined) return 'there is no such field'
  if (declared.includes('Array<')) return Array.isArray(value) ? null : `${JSON.stringify(value)} is no list`
  if (/\bstring\b/.test(declared) || declared.includes('ImageSize')) return null
  if (declared === 'number' || declared === 'boolean')
    return typeof value === declared ? null : `${String(value)} is no ${declared}`
  return declared.includes(JSON.stringify(value)) ? null : `${JSON.stringify(value)} is none of ${declared}`
}

/**
 * Returns requests that the driver accepts: one for each combination of media inputs, and for each
 * of them the same request with one change.
 */
function requestsFor(endpoint: string, object: GenerationRequest['object']): GenerationRequest[] {
  const target = { baseUrl: '', model: endpoint, parameters: {}, extra: {}, workflow: null, slots: {} }
  const isAccepted = (parameters: GenerationParameters) => falDriver.refuse(requestOf(parameters, { object }), target) === null
  const lengths = object === 'image' ? [{}] : Array.from({ length: 30 }, (_, index) => ({ seconds: index + 1 }))
  const resolutions = (object === 'image' ? imageResolutions : videoResolutions).map((resolution) => ({ resolution }))
  const ratios = aspectRatios.map((aspect_ratio) => ({ aspect_ratio }))
  const changes = [...lengths, ...resolutions, ...ratios, { seed: 1 }, { audio: true }, { negative_prompt: 'fog' }]
  const mediaInputs: GenerationParameters[] = [
    {},
    { first_frame: dot },
    { first_frame: dot, last_frame: dot },
    { reference_images: [dot] },
    { reference_images: [dot], first_frame: dot, last_frame: dot },
    { input_video: clip, keep_audio: true },
    { reference_videos: [clip], reference_images: [dot], keep_audio: true },
  ]
  const requests: GenerationRequest[] = []
  for (const inputs of mediaInputs) {
    const bases = resolutions.flatMap((resolution) => lengths.map((length) => Object.assign({}, inputs, resolution, length)))
    const base = bases.find(isAccepted)
    if (base === undefined) continue
    const requested = [{}, ...changes].map((change) => Object.assign({ prompt: 'a kite' }, base, change)).filter(isAccepted)
    requests.push(...requested.map((parameters) => requestOf(parameters, { object })))
  }
  return requests
}

it.each(
  declaredEndpoints.flatMap(({ endpoint, type }) => [
    ...(videoFamilies.some(({ endpoints }) => endpoints.test(endpoint)) ? [{ endpoint, type, object: 'video' as const }] : []),
    ...(imageFamilies.some(({ endpoints }) => endpoints.test(endpoint)) ? [{ endpoint, type, object: 'image' as const }] : []),
  ]),
)('$endpoint gets only fields and values that its schema allows', async ({ endpoint, type, object }) => {
  const fields = declaredFields(type)
  expect(fields).toHaveProperty('prompt')
  await using simulator = await Simulator.open(falProtocol)
  await using connected = connectDriver(falDriver, { baseUrl: simulator.origin, credential: falKey, model: endpoint })
  const requests = requestsFor(endpoint, object)
  expect(requests.length).toBeGreaterThan(0)
  for (const request of requests) await connected.driver.start(request, { ...startContext, signal: AbortSignal.timeout(20_000) })
  const violations = simulator
    .of('submit')
    .flatMap(({ json }) => Object.entries(json as Record<string, unknown>))
    .map(([name, value]) => [name, violationOf(fields[name], value)])
    .filter(([, violation]) => violation !== null)
  expect(violations).toEqual([])
})

it('the schemas contain every endpoint family except Seedance 2', () => {
  const undeclaredFamilies = [...videoFamilies, ...imageFamilies]
    .map(({ endpoints }) => endpoints)
    .filter((endpoints) => !declaredEndpoints.some(({ endpoint }) => endpoints.test(endpoint)))
  // These endpoints are newer than the types.
  expect(undeclaredFamilies.every((endpoints) => endpoints.source.includes('seedance-2'))).toBe(true)
})
