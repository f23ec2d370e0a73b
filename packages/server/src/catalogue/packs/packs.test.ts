import { describe, expect, it } from 'vitest'
import { withOwnWatermark } from '../../drivers/upstream/own-watermark.ts'
import { upstreamDrivers } from '../../drivers/upstream-drivers.ts'
import type { GenerationParameters } from '../generation-parameters.ts'
import { createCatalogue } from '../catalogue.ts'
import { defaultFamilies } from '../default-families.ts'
import { UniqueIds } from '../definitions/read-model-documents.ts'
import { readModelDocument } from '../definitions/read-model-document.ts'
import type { ModelDefinition, ParameterSchema } from '../model.ts'
import { outputSize } from '../output-size.ts'
import type { UpstreamTarget } from '../../drivers/upstream/upstream-driver.ts'
import { driverOfPack, listPacks, packNames, readPack } from './packs.ts'

const image = 'https://example.com/a.png'

function definitionOf(name: string): ModelDefinition {
  const { suggestedId: id, object, title, description, parameters, required } = readPack(name)
  const { definition, violations } = readModelDocument({ id, object, title, description, parameters, required })
  expect(violations).toEqual([])
  if (definition === undefined) throw new Error(`${name} is no model`)
  return definition
}

/** Whether a route of the pack serves the request: the driver's refusals otherwise. */
function refusalsOf(name: string, definition: ModelDefinition, parameters: GenerationParameters): string[] {
  const found = upstreamDrivers.find((one) => one.name === driverOfPack(name))
  const driver = found && withOwnWatermark(found, async () => {})
  if (driver === undefined) throw new Error(`there is no driver ${driverOfPack(name)}`)
  const request = { model: definition.id, object: definition.object, size: outputSize(definition, parameters), parameters }
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

/** Every value that matters of a parameter. */
function valuesOf(name: string, { enum: choices, minimum, maximum, maxItems, type }: ParameterSchema): unknown[] {
  if (choices !== undefined) return [...choices]
  if (name === 'first_frame' || name === 'last_frame') return [image]
  if (name === 'reference_images') return [[image], Array.from({ length: maxItems ?? 1 }, () => image)]
  if (type === 'boolean') return [true, false]
  return [minimum, maximum].filter((value) => value !== undefined)
}

describe('packs', () => {
  it('there are at least forty, and each has a summary and its name as Model ID', () => {
    expect(packNames().length).toBeGreaterThanOrEqual(40)
    expect(
      listPacks().every(({ title, description, driver }) => title !== '' && description.endsWith('.') && driver !== ''),
    ).toBe(true)
    for (const name of packNames()) expect(readPack(name).suggestedId).toBe(name)
  })

  it('no name can be confused with that of a built-in model or another pack', () => {
    const ids = new UniqueIds(createCatalogue(defaultFamilies).models.map(({ id }) => id))
    expect(packNames().map((name) => ids.claim(name, () => `pack:${name}`))).toEqual(packNames().map(() => null))
  })

  it.each(packNames())('%s is a model whose every value some route of it serves', (name) => {
    const definition = definitionOf(name)
    const { model: _model, ...properties } = definition.parameters.properties as Record<string, ParameterSchema>
    const defaults = Object.fromEntries(
      Object.entries(properties).flatMap(([key, schema]) => (schema.default === undefined ? [] : [[key, schema.default]])),
    )
    const needed = Object.fromEntries(
      definition.parameters.required.flatMap((key) =>
        key === 'prompt' ? [[key, 'a kite']] : key === 'first_frame' ? [[key, image]] : [],
      ),
    )
    const least = { ...defaults, ...needed }
    expect(refusalsOf(name, definition, least)).toEqual([])
    for (const [key, schema] of Object.entries(properties)) {
      for (const value of valuesOf(key, schema)) {
        const withFrame = key === 'last_frame' ? { first_frame: image } : {}
        expect(
          refusalsOf(name, definition, { ...least, ...withFrame, [key]: value }),
          `${key}: ${JSON.stringify(value)}`,
        ).toEqual([])
      }
    }
  })

  it('an unknown pack is refused with the nearest name', () => {
    expect(() => readPack('flux-2-por')).toThrow('There is no pack flux-2-por; did you mean flux-2-pro?')
    expect(() => readPack('../../package')).toThrow('There is no pack ../../package; framegate models packs lists them.')
  })
})
