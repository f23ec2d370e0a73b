import { hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { canonicalHostName, canonicalOrigin, configFileBytesMax } from '@framegate/contract'
import { distance } from 'fastest-levenshtein'
import { CommandFailure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { readLogo } from '../operation/read-logo.ts'
import { checkList } from './check-fields.ts'
import { sections } from './file-sections.ts'
import { violationAt, parseLocated, fieldOrItem, type Violation, type Located } from './located.ts'
import type { AppliedFile, DeclaredAccount, DeclaredBrand, DeclaredPrice } from './applied-file.ts'

/** Maximum number of edits between a misspelled section and the section that is suggested. */
const editsMax = 2

/** Reads the file and collects every violation that can be found without the server. */
export function readAppliedFile(path: string): { file: AppliedFile; violations: Violation[] } {
  const { root, violations } = parseLocated(readText(path))
  const sectionFields = new Map([...(root?.fields ?? [])].filter(([name]) => Object.hasOwn(sections, name)))
  for (const [name, field] of root?.fields ?? []) {
    const likelySection = Object.keys(sections).find((section) => section !== name && distance(section, name) <= editsMax)
    if (!sectionFields.has(name) && likelySection !== undefined)
      violations.push(violationAt(field, `is not known; did you mean ${likelySection}?`))
  }
  for (const [name, rules] of Object.entries(sections)) {
    const list = sectionFields.get(name)
    if (list !== undefined) checkList(list, rules, violations)
  }
  if (violations.length === 0 && sectionFields.size === 0) {
    violations.push({
      line: 1,
      column: 1,
      field: '',
      message: `has nothing to apply; it must have at least one of ${Object.keys(sections).join(', ')}.`,
    })
  }
  // Rules across several items are checked only if all fields are valid.
  const file = violations.length === 0 ? declarationsOf(sectionFields) : { brands: null, accounts: null, prices: null }
  if (violations.length === 0) {
    for (const brand of file.brands ?? []) normalizeBrand(brand, violations)
    rejectRepeatedItems(file, violations)
    for (const brand of file.brands ?? []) readBrandLogo(brand, dirname(path), violations)
  }
  return { file, violations }
}

function readText(path: string): string {
  const buffer = Buffer.alloc(configFileBytesMax + 1)
  let sizeBytes = 0
  try {
    const fd = openSync(path, 'r')
    try {
      for (let bytesRead = -1; bytesRead !== 0 && sizeBytes <= configFileBytesMax; sizeBytes += bytesRead)
        bytesRead = readSync(fd, buffer, sizeBytes, buffer.length - sizeBytes, null)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new CommandFailure(exitCodes.usage, `${path} cannot be read: ${code ?? message}.`, { cause: error })
  }
  if (sizeBytes <= configFileBytesMax) return buffer.toString('utf8', 0, sizeBytes)
  throw new CommandFailure(exitCodes.usage, `${path} is larger than ${configFileBytesMax} bytes. Nothing was changed.`)
}

function declarationsOf(sectionFields: ReadonlyMap<string, Located>): AppliedFile {
  return {
    brands: readDeclared(sectionFields.get('brands'), ['models', 'prices']) as DeclaredBrand[] | null,
    accounts: readDeclared(sectionFields.get('accounts'), ['grants', 'keys', 'prices']) as DeclaredAccount[] | null,
    prices: readDeclared(sectionFields.get('prices'), []) as DeclaredPrice[] | null,
  }
}

/**
 * Converts items that have passed the rules to plain objects. The rules guarantee the fields of
 * their types.
 */
function readDeclared(list: Located | undefined, lists: readonly string[]): object[] | null {
  if (list === undefined || list.value === null) return null
  return list.items.map((item) => {
    const inner = lists.map((name) => [name, readDeclared(item.fields.get(name), [])])
    return { ...(item.value as object), ...Object.fromEntries(inner), at: item }
  })
}

/** Converts the names, hosts, color and origin of a brand to the API's form. */
function normalizeBrand(brand: DeclaredBrand, violations: Violation[]): void {
  brand.name = brand.name.trim()
  for (const model of brand.models ?? []) if (typeof model.title === 'string') model.title = model.title.trim()
  for (const host of brand.at.fields.get('hosts')?.items ?? []) {
    if (canonicalHostName(String(host.value)) === null) {
      violations.push(violationAt(host, 'must be a host name such as video.example.com, without scheme, port and path.'))
    }
  }
  if (brand.hosts !== undefined) brand.hosts = [...new Set(brand.hosts.map((host) => canonicalHostName(host) ?? host))]
  if (typeof brand.color === 'string') brand.color = brand.color.toLowerCase()
  if (typeof brand.result_origin !== 'string') return
  const origin = canonicalOrigin(brand.result_origin)
  if (origin !== null) {
    brand.result_origin = origin
    return
  }
  const message = 'must be an origin such as https://media.example.com, without a path.'
  violations.push(violationAt(fieldOrItem(brand.at, 'result_origin'), message))
}

/** Rejects items that declare the same object twice. */
function rejectRepeatedItems({ brands, accounts, prices }: AppliedFile, violations: Violation[]): void {
  rejectDuplicates(brands, 'name', ({ name }) => name, violations)
  rejectDuplicates(brands, 'id', ({ id }) => id, violations)
  rejectDuplicates(brands?.filter((brand) => brand.default === true) ?? null, 'default', () => 'default', violations)
  const hosts = (brands ?? []).flatMap((brand) => (brand.hosts ?? []).map((host) => ({ at: brand.at, host })))
  rejectDuplicates(hosts, 'hosts', ({ host }) => host, violations)
  // The name of an account with an id is not compared, because only the server knows its brand.
  rejectDuplicates(
    accounts,
    'name',
    ({ id, name, brand }) => (id === undefined ? JSON.stringify([brand, name]) : undefined),
    violations,
  )
  rejectDuplicates(accounts, 'id', ({ id }) => id, violations)
  for (const owner of [...(brands ?? []), ...(accounts ?? []), { prices }])
    rejectDuplicatePrices(owner.prices ?? null, violations)
  for (const { models } of brands ?? []) rejectDuplicates(models ?? null, 'model', ({ model }) => model, violations)
  for (const { keys, grants } of accounts ?? []) {
    rejectDuplicates(keys ?? null, 'name', ({ name }) => name, violations)
    rejectDuplicates(grants ?? null, 'reference', ({ reference }) => reference, violations)
  }
}

function readBrandLogo(brand: DeclaredBrand, folder: string, violations: Violation[]): void {
  if (typeof brand.logo !== 'string') return
  const logo = readLogo(resolve(folder, brand.logo))
  if ('error' in logo) {
    violations.push(violationAt(fieldOrItem(brand.at, 'logo'), `is ${brand.logo}, but that file ${logo.error}.`))
    return
  }
  brand.logoFile = logo.dataUri
  brand.logo = `sha256:${hash('sha256', logo.bytes)}`
}

function rejectDuplicatePrices(prices: readonly DeclaredPrice[] | null, violations: Violation[]): void {
  rejectDuplicates(prices, 'model', ({ model, effective_at }) => JSON.stringify([model, effective_at ?? null]), violations)
}

function rejectDuplicates<Item extends { at: Located }>(
  items: readonly Item[] | null,
  field: string,
  keyOf: (item: Item) => string | undefined,
  violations: Violation[],
): void {
  const firstByKey = new Map<string, Located>()
  for (const item of items ?? []) {
    const key = keyOf(item)
    if (key === undefined) continue
    const duplicate = firstByKey.get(key)
    if (duplicate === undefined) firstByKey.set(key, item.at)
    else
      violations.push(
        violationAt(fieldOrItem(item.at, field), `repeats the value of line ${fieldOrItem(duplicate, field).position.line}.`),
      )
  }
}
