import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { nearestName } from '../../lib/nearest-name.ts'
import type { ImportedModel } from '../import/imported-model.ts'
import { ImportError } from '../import/import-error.ts'
import { readSharedModel } from '../import/read-shared-model.ts'
import { shortName } from '../import/resolve-schema.ts'

/**
 * Folder of the packs. A pack defines a well-known model: its driver, its definition without a
 * price, and the provider's models that serve it.
 */
const packsFolder = new URL('../../../packs/', import.meta.url)

export interface PackSummary {
  name: string
  driver: string
  object: 'image' | 'video'
  title: string
  description: string
}

interface Pack {
  driver: string
  model: { id: string; object: 'image' | 'video'; title: string; description: string }
}

export function packNames(): string[] {
  return readdirSync(fileURLToPath(packsFolder))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
}

export function listPacks(): PackSummary[] {
  return packNames().map((name) => {
    const { driver, model } = readPackFile(name) as unknown as Pack
    const { object, title, description } = model
    return { name, driver, object, title, description }
  })
}

export function readPack(name: string): ImportedModel {
  requirePack(name)
  return readSharedModel(readPackFile(name))
}

export function driverOfPack(name: string): string {
  requirePack(name)
  return (readPackFile(name) as unknown as Pack).driver
}

function requirePack(name: string): void {
  const names = packNames()
  if (names.includes(name)) return
  const suggestion = nearestName(name, names, 4)
  const hint = suggestion === undefined ? '. Run framegate models packs for the list.' : `; did you mean ${suggestion}?`
  throw new ImportError(`There is no pack ${shortName(name)}${hint}`)
}

function readPackFile(name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL(`${name}.json`, packsFolder), 'utf8')) as Record<string, unknown>
}
