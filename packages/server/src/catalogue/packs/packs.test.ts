import { describe, expect, it } from 'vitest'
import { withOwnWatermark } from '../../drivers/upstream/own-watermark.ts'
import { upstreamDrivers } from '../../drivers/upstream-drivers.ts'
import { findInputViolations } from '../../lib/find-input-violations.ts'
import type { ProbedInput } from '../../lib/input-limits.ts'
import { isMediaParameter, mediaParameters, type GenerationParameters } from '../generation-parameters.ts'
import { mediaReferences } from '../media-references.ts'
import { createCatalogue } from '../catalogue.ts'
import { defaultFamilies } from '../default-families.ts'
import { UniqueIds } from '../definitions/read-model-documents.ts'
import { readModelDocument } from '../definitions/read-model-document.ts'
import type { ModelDefinition, ParameterSchema } from '../model.ts'
import { outputSize } from '../output-size.ts'
import { taskObjectOf } from '../token-model.ts'
import type { UpstreamTarget } from '../../drivers/upstream/upstream-driver.ts'
import { driverOfPack, listPacks, packNames, readPack } from './packs.ts'

const image = 'https://example.com/a.png'
const [video, sound] = ['https://example.com/a.mp4', 'https://example.com/a.mp3']
const exampleUrlByKind: Readonly<Record<string, string>> = { image, video, audio: sound }

/**
 * Returns video and audio files at the lower or upper limits of a model: the length, the number of
 * pixels and the frame rate. The size in bytes is always the maximum.
 */
function filesAtLimits(
  parameters: GenerationParameters,
  { inputLimits = {} }: ModelDefinition,
  bound: 'Min' | 'Max',
): ProbedInput[] {
  const references = mediaReferences(parameters)
  return references.flatMap(({ parameter, fieldName, pointer, kind }) => {
    if (kind === 'image') return []
    const limits = inputLimits[kind] ?? {}
    const count = references.filter((reference) => reference.kind === kind).length
    const longest = Math.min(limits.secondsMax ?? 10, (limits.secondsTotalMax ?? 600) / count)
    const side =
      bound === 'Min'
        ? Math.max(limits.sideMin ?? 0, Math.ceil(Math.sqrt(limits.pixelsMin ?? 640 * 640)))
        : (limits.sideMax ?? 1080)
    const height = Math.min(side, Math.floor((limits.pixelsMax ?? Infinity) / side))
    const facts = {
      kind,
      contentType: limits.types?.[0] ?? (kind === 'video' ? 'video/mp4' : 'audio/mpeg'),
      sizeBytes: Math.min(limits.bytesMax ?? 1e6, Math.floor((limits.bytesTotalMax ?? 1e9) / count)),
      width: kind === 'video' ? side : null,
      height: kind === 'video' ? height : null,
      seconds: bound === 'Min' ? Math.min(limits.secondsMin ?? 1, longest) : longest,
      fps: kind === 'video' ? (limits[`fps${bound}`] ?? 30) : null,
    }
    return [{ parameter, fieldName, pointer, facts }]
  })
}

function definitionOf(name: string): ModelDefinition {
  const { suggestedId: id, object, title, description, parameters, required, inputs } = readPack(name)
  const { definition, violations } = readModelDocument({ id, object, title, description, parameters, required, inputs })
  expect(violations).toEqual([])
  if (definition === undefined) throw new Error(`${name} is no model`)
  return definition
}

/**
 * Returns the refusal of each route, or an empty list if a route of the pack accepts the request.
 */
function refusalsUnlessServed(
  name: string,
  definition: ModelDefinition,
  parameters: GenerationParameters,
  inputs: ProbedInput[] = [],
): string[] {
  const packDriver = upstreamDrivers.find((candidate) => candidate.name === driverOfPack(name))
  const driver = packDriver && withOwnWatermark(packDriver, async () => {})
  if (driver === undefined) throw new Error(`there is no driver ${driverOfPack(name)}`)
  const request = {
    model: definition.id,
    object: taskObjectOf(definition),
    size: outputSize(definition, parameters),
    parameters,
    inputs,
  }
  const refusals = readPack(name).routes.map(({ upstreamModel, extra, input }) => {
    const target = {
      baseUrl: driver.defaultBaseUrl ?? '',
      model: upstreamModel,
      parameters: {},
      extra: {},
      workflow: null,
      slots: {},
      ...(extra && { extra }),
      ...(input && { input }),
    }
    expect(driver.findRouteViolations?.(target as UpstreamTarget) ?? []).toEqual([])
    return driver.refuse(request, target as UpstreamTarget)?.message ?? null
  })
  return refusals.includes(null) ? [] : (refusals as string[])
}

/** Returns the values of a parameter to test. */
function valuesOf(name: string, { enum: choices, minimum, maximum, maxItems, type }: ParameterSchema): unknown[] {
  if (choices !== undefined) return [...choices]
  if (isMediaParameter(name)) {
    const file = exampleUrlByKind[mediaParameters[name]] ?? ''
    return type === 'array' ? [[file], Array.from({ length: maxItems ?? 1 }, () => file)] : [file]
  }
  if (type === 'boolean') return [true, false]
  return [minimum, maximum].filter((value) => value !== undefined)
}

/** Further parameters that a request with the parameter `name` must contain. */
function requiredWith(name: string, properties: Readonly<Record<string, unknown>>): GenerationParameters {
  if (name === 'last_frame') return { first_frame: image }
  if (name === 'mask') return { reference_images: [image] }
  if (name === 'keep_audio') return { input_video: video }
  return name === 'reference_audios' && 'reference_videos' in properties ? { reference_videos: [video] } : {}
}

describe('packs', () => {
  it('there are at least forty packs, and each has a title and a description, and suggests its own name as Model ID', () => {
    expect(packNames().length).toBeGreaterThanOrEqual(40)
    expect(
      listPacks().every(({ title, description, driver }) => title !== '' && description.endsWith('.') && driver !== ''),
    ).toBe(true)
    for (const name of packNames()) expect(readPack(name).suggestedId).toBe(name)
  })

  it('no pack has a name that resembles that of a built-in model or another pack', () => {
    const ids = new UniqueIds(createCatalogue(defaultFamilies).models.map(({ id }) => id))
    expect(packNames().map((name) => ids.claim(name, () => `pack:${name}`))).toEqual(packNames().map(() => null))
  })

  it.each(packNames())('each choice and each limit of the pack %s is served by one of its routes', (name) => {
    const definition = definitionOf(name)
    const { model: _model, ...properties } = definition.parameters.properties as Record<string, ParameterSchema>
    const defaults = Object.fromEntries(
      Object.entries(properties).flatMap(([key, schema]) => (schema.default === undefined ? [] : [[key, schema.default]])),
    )
    const requiredParameters = Object.fromEntries(
      definition.parameters.required.flatMap((key) =>
        key === 'prompt' ? [[key, 'a kite']] : key === 'first_frame' ? [[key, image]] : [],
      ),
    )
    const smallestRequest = { ...defaults, ...requiredParameters }
    expect(refusalsUnlessServed(name, definition, smallestRequest)).toEqual([])
    for (const [key, schema] of Object.entries(properties)) {
      for (const value of valuesOf(key, schema)) {
        const parameters = { ...smallestRequest, ...requiredWith(key, properties), [key]: value }
        for (const bound of ['Min', 'Max'] as const) {
          const inputs = filesAtLimits(parameters, definition, bound)
          expect(findInputViolations(inputs, definition.inputLimits ?? {})).toEqual([])
          expect(
            refusalsUnlessServed(name, definition, parameters, inputs),
            `${key}: ${JSON.stringify(value)} (${bound})`,
          ).toEqual([])
        }
      }
    }
  })

  it('at least six packs accept reference videos, and each of them limits its input videos', () => {
    const packsWithVideoInput = packNames().filter((name) => 'reference_videos' in readPack(name).parameters)
    expect(packsWithVideoInput.length).toBeGreaterThanOrEqual(6)
    for (const name of packsWithVideoInput) expect(definitionOf(name).inputLimits?.video).toBeDefined()
  })

  it('an unknown pack is rejected with the nearest name', () => {
    expect(() => readPack('flux-2-por')).toThrow('There is no pack flux-2-por; did you mean flux-2-pro?')
    expect(() => readPack('../../package')).toThrow('There is no pack ../../package. Run framegate models packs for the list.')
  })
})
