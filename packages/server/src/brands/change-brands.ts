import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { brandHostsMax, canonicalOrigin } from '@framegate/contract'
import type { Kysely } from 'kysely'
import type { BrandModel, OtherModels } from '../catalogue/catalogue-of-brand.ts'
import { insertUnlessExists, valueUnlessExists } from '../db/insert-unless-exists.ts'
import { noExtraStatements, type ExtraStatements, type Statement } from '../db/statement.ts'
import type { Store } from '../db/store.ts'
import type { Tables } from '../db/tables.ts'
import { firstBrandId, type Brand } from './brand.ts'
import { readHostName } from './host-name.ts'
import { upsertLogoQuery, deleteLogoQuery, type NewLogo } from './logo.ts'
import { InvalidBrand } from './invalid-brand.ts'

export interface BrandRequest extends BrandChange {
  name: string
}

/** A change of a brand. Absent fields do not change. */
export interface BrandChange {
  name?: string
  /** The complete list of host names. It replaces the existing list. */
  hosts?: readonly string[]
  /** Whether hosts of other brands move to this brand. Default: false, which rejects such hosts. */
  movesHosts?: boolean
  /** Scheme, host and port of result links. Null: the origin of the installation. */
  resultOrigin?: string | null
  /** Color in the form #rrggbb, or null for no color. */
  color?: string | null
  /** The new logo, or null for no logo. */
  logo?: NewLogo | null
  otherModels?: OtherModels
  /** Null: no limit. */
  tasksInFlightMax?: number | null
  /** Micro-credits. Null: no limit. */
  creditsInFlightMax?: number | null
  /** Number of days for which prompts are kept. Null: as long as results. */
  promptRetentionDays?: number | null
}

/** A change of a brand's setting for a model. Null: the value of the catalogue. */
export type BrandModelChange = Partial<BrandModel>

const nameCharactersMax = 100
const titleCharactersMax = 200

/**
 * Returns the statements to write in the same commit as a change that moves hosts away from another
 * brand. `hosts` and `remainingHosts` are the hosts of that brand before and after the change.
 */
export type ReleaseStatements = (
  brandId: string,
  hosts: readonly string[],
  remainingHosts: readonly string[],
) => readonly Statement[]

export type BrandStore = Pick<Store, 'database' | 'writeAtomically'>

/**
 * Inserts a brand. If a brand of this name exists, returns that brand, even if another process
 * creates it at the same time. Like the other functions of this file, it makes one commit, which
 * includes `extraStatements`, and throws `InvalidBrand` if the change is invalid.
 */
export async function insertBrand(
  store: BrandStore,
  request: BrandRequest,
  nowMs: number,
  extraStatements: ExtraStatements = noExtraStatements,
): Promise<{ id: string; isNew: boolean }> {
  const { database } = store
  const id = `brand_${randomUUID().replaceAll('-', '')}`
  const columns = columnsOf(request)
  const name = requireText('A name', request.name, nameCharactersMax)
  const brandsOfSameName = database.selectFrom('brands').select('id').where('name', '=', name).orderBy('no')
  const uniqueName = valueUnlessExists(brandsOfSameName, name)
  const insert = database.insertInto('brands').values({ id, ...columns, name: uniqueName, created_at: nowMs })
  const existingBrand = await insertUnlessExists(brandsOfSameName, id, () =>
    writeWithFreeHosts(store, null, columns.hosts, [
      lockFirstBrand(store),
      insert.compile(),
      ...logoChange(store, id, request),
      ...extraStatements(id),
    ]),
  )
  return { id: existingBrand?.id ?? id, isNew: existingBrand === undefined }
}

export async function updateBrand(
  store: BrandStore,
  brand: Brand,
  change: BrandChange,
  extraStatements: ExtraStatements = noExtraStatements,
  releaseStatements: ReleaseStatements = () => [],
): Promise<void> {
  const columns = columnsOf(change)
  if (Object.keys(columns).length === 0) return
  const update = store.database.updateTable('brands').set(columns).where('no', '=', brand.no)
  const statements: [Statement, ...Statement[]] = [
    update.compile(),
    ...logoChange(store, brand.id, change),
    ...extraStatements(brand.id),
  ]
  if (change.movesHosts === true) await moveHosts(store, brand.no, columns.hosts, statements, releaseStatements)
  else await writeWithFreeHosts(store, brand.no, columns.hosts, statements)
}

function logoChange({ database }: BrandStore, id: string, { logo }: BrandChange): Statement[] {
  if (logo === undefined) return []
  return [logo === null ? deleteLogoQuery(database, id) : upsertLogoQuery(database, id, logo)]
}

export async function putBrandModel(
  store: BrandStore,
  { no, id }: Brand,
  model: string,
  { visibility, title }: BrandModelChange,
  extraStatements: ExtraStatements = noExtraStatements,
): Promise<void> {
  const changedColumns = {
    ...(visibility !== undefined && { visibility }),
    ...(title !== undefined && { title: title === null ? null : requireText('A title', title, titleCharactersMax) }),
  }
  const insert = store.database
    .insertInto('brand_models')
    .values({ brand_no: no, model, visibility: null, title: null, ...changedColumns })
    .onConflict((conflict) => conflict.columns(['brand_no', 'model']).doUpdateSet({ model, ...changedColumns }))
  await store.writeAtomically(insert.compile(), ...extraStatements(id))
}

/**
 * Makes `newDefault` the default brand. The previous default brand must have a host, because from
 * then on its keys work only on its own hosts.
 */
export async function moveDefault(
  store: BrandStore,
  newDefault: Pick<Brand, 'no' | 'id'>,
  extraStatements: ExtraStatements = noExtraStatements,
): Promise<void> {
  const { database } = store
  const previousWithoutHosts = database
    .selectFrom('brands')
    .select('id')
    .where('is_default', '=', 1)
    .where('no', '!=', newDefault.no)
    .where('hosts', '=', '[]')
  const setNew = database
    .updateTable('brands')
    .set({ is_default: 1, id: valueUnlessExists(previousWithoutHosts, newDefault.id) })
    .where('no', '=', newDefault.no)
  const unsetPrevious = database
    .updateTable('brands')
    .set({ is_default: 0 })
    .where('no', '!=', newDefault.no)
    .where('is_default', '=', 1)
  const requireHosts = async (): Promise<void> => {
    const brand = await previousWithoutHosts.executeTakeFirst()
    if (brand === undefined) return
    throw new InvalidBrand(`Add a host to the default brand ${brand.id} first; otherwise its keys would not work on any host.`)
  }
  await requireHosts()
  try {
    const statements = [setNew.compile(), unsetPrevious.compile(), ...extraStatements(newDefault.id)]
    await store.writeAtomically(lockFirstBrand(store), ...statements)
  } catch (error) {
    await requireHosts()
    throw error
  }
}

/** Returns a statement that waits for concurrent changes, so that the next statement sees them. */
function lockFirstBrand({ database }: BrandStore): Statement {
  return database
    .updateTable('brands')
    .set((brand) => ({ name: brand.ref('name') }))
    .where('id', '=', firstBrandId)
    .compile()
}

function columnsOf(change: BrandChange) {
  const { name, hosts, resultOrigin, color, logo, otherModels, tasksInFlightMax, creditsInFlightMax, promptRetentionDays } =
    change
  return {
    ...(name !== undefined && { name: requireText('A name', name, nameCharactersMax) }),
    ...(hosts !== undefined && { hosts: hostsText(hosts) }),
    ...(resultOrigin !== undefined && { result_origin: resultOrigin === null ? null : originText(resultOrigin) }),
    ...(color !== undefined && { color: color === null ? null : colorText(color) }),
    ...(logo !== undefined && { logo_sha256: logo?.sha256 ?? null }),
    ...(otherModels !== undefined && { other_models: otherModels }),
    ...(tasksInFlightMax !== undefined && { tasks_in_flight_max: tasksInFlightMax }),
    ...(creditsInFlightMax !== undefined && { credits_in_flight_max: creditsInFlightMax }),
    ...(promptRetentionDays !== undefined && { prompt_retention_days: promptRetentionDays }),
  }
}

function requireText(field: string, text: string, charactersMax: number): string {
  const trimmedText = text.trim()
  if (trimmedText !== '' && trimmedText.length <= charactersMax) return trimmedText
  throw new InvalidBrand(`${field} must have 1 to ${charactersMax} characters.`)
}

function colorText(color: string): string {
  if (/^#[0-9a-f]{6}$/i.test(color)) return color.toLowerCase()
  throw new InvalidBrand(`A color must have the form #rrggbb, such as #1a7f64; got ${JSON.stringify(color)}.`)
}

function hostsText(hosts: readonly string[]): string {
  if (hosts.length > brandHostsMax) throw new InvalidBrand(`A brand may have at most ${brandHostsMax} hosts.`)
  return JSON.stringify([...new Set(hosts.map((host) => readHostName(host)))])
}

function originText(text: string): string {
  const origin = canonicalOrigin(text)
  if (origin !== null) return origin
  throw new InvalidBrand(
    'The origin of result links must be an origin such as https://media.example.com, without a path; got ' +
      `${JSON.stringify(text)}.`,
  )
}

/**
 * Writes a change of a brand. Throws `InvalidBrand` if one of the hosts belongs to another brand. A
 * concurrent request may assign a host between the check and the write. The database then rejects
 * the write, and a second check finds the name of the other brand.
 */
async function writeWithFreeHosts(
  store: BrandStore,
  brandNo: number | null,
  hosts: string | undefined,
  statements: readonly [Statement, ...Statement[]],
): Promise<void> {
  await requireFreeHosts(store.database, brandNo, hosts)
  try {
    await store.writeAtomically(...statements)
  } catch (error) {
    await requireFreeHosts(store.database, brandNo, hosts)
    throw error
  }
}

async function requireFreeHosts(database: Kysely<Tables>, brandNo: number | null, hosts: string | undefined): Promise<void> {
  for (const { id, takenHosts } of await otherOwnersOf(database, brandNo, hosts)) {
    throw new InvalidBrand(`The host ${takenHosts[0]} already belongs to the brand ${id}.`)
  }
}

/**
 * Writes a change of a brand, and removes its hosts from all other brands in the same commit. If
 * the hosts of another brand change at the same time, tries again.
 */
async function moveHosts(
  store: BrandStore,
  brandNo: number,
  hosts: string | undefined,
  statements: readonly [Statement, ...Statement[]],
  releaseStatements: ReleaseStatements,
): Promise<void> {
  const owners = await otherOwnersOf(store.database, brandNo, hosts)
  const releases = owners.flatMap(({ no, id, hosts: ownedHosts, takenHosts }) => {
    const hostsBefore = JSON.parse(ownedHosts) as string[]
    const remainingHosts = hostsBefore.filter((host) => !takenHosts.includes(host))
    const update = store.database
      .updateTable('brands')
      .set({ hosts: JSON.stringify(remainingHosts) })
      .where('no', '=', no)
      .where('hosts', '=', ownedHosts)
    return [update.compile(), ...releaseStatements(id, hostsBefore, remainingHosts)]
  })
  const [firstStatement = statements[0], ...otherStatements] = [...releases, ...statements]
  try {
    if ((await store.writeAtomically(firstStatement, ...otherStatements)) || owners.length === 0) return
  } catch (error) {
    const currentOwners = await otherOwnersOf(store.database, brandNo, hosts)
    if (isDeepStrictEqual(currentOwners, owners)) throw error
  }
  await moveHosts(store, brandNo, hosts, statements, releaseStatements)
}

interface HostOwner {
  no: number
  id: string
  hosts: string
  /** The wanted hosts that belong to this brand. */
  takenHosts: string[]
}

/** Returns the other brands to which some of the hosts belong. */
async function otherOwnersOf(database: Kysely<Tables>, brandNo: number | null, hosts: string | undefined): Promise<HostOwner[]> {
  if (hosts === undefined) return []
  const wantedHosts = new Set(JSON.parse(hosts) as string[])
  const brands = await database.selectFrom('brands').select(['no', 'id', 'hosts']).execute()
  return brands.flatMap(({ no, id, hosts: ownedHosts }) => {
    const takenHosts = (JSON.parse(ownedHosts) as string[]).filter((host) => wantedHosts.has(host))
    return no === brandNo || takenHosts.length === 0 ? [] : [{ no, id, hosts: ownedHosts, takenHosts }]
  })
}
