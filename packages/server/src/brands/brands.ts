import { hostNameOf } from '@framegate/contract'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { OpenCatalogue } from '../catalogue/open-catalogue.ts'
import type { ExtraStatements } from '../db/statement.ts'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'
import { SerialQueue } from '../lib/serial-queue.ts'
import { AccountBrands } from './account-brands.ts'
import type { Brand } from './brand.ts'
import {
  insertBrand,
  moveDefault,
  putBrandModel,
  updateBrand,
  type BrandChange,
  type BrandModelChange,
  type BrandRequest,
  type ReleaseStatements,
} from './change-brands.ts'
import { LogoCache } from './logo.ts'
import type { LogoPixels } from './logo-pixels.ts'
import { readBrands, type LoadedBrand } from './read-brands.ts'
import { InvalidBrand } from './invalid-brand.ts'

/**
 * All brands, in memory, so that the brand of a request is found by its host without a database
 * query. A change by another process takes effect within a second. Methods that change a brand
 * return the changed brand, or undefined if there is no brand with this id. They throw
 * `InvalidBrand` if the change is invalid.
 */
export interface Brands extends Disposable {
  /** Returns the brand of the host in a Host header, or else the default brand. */
  ofHost(host: string | undefined): Brand
  /** Returns all brands in order of creation. */
  all(): Brand[]
  find(id: string): Brand | undefined
  ofAccount(accountNo: number): Promise<Brand | undefined>
  /** Returns null if the brand has no logo, or if the logo has changed since `brand` was read. */
  logoOf(brand: Brand): Promise<LogoPixels | null>
  /** If a brand of this name exists, returns that brand, unchanged. */
  createBrand(request: BrandRequest, extraStatements?: ExtraStatements): Promise<{ brand: Brand; isNew: boolean }>
  changeBrand(
    id: string,
    change: BrandChange,
    extraStatements?: ExtraStatements,
    releaseStatements?: ReleaseStatements,
  ): Promise<Brand | undefined>
  setBrandModel(
    id: string,
    modelId: string,
    change: BrandModelChange,
    extraStatements?: ExtraStatements,
  ): Promise<Brand | undefined>
  /** Makes this brand the default, which serves all hosts that do not belong to a brand. */
  makeDefault(id: string, extraStatements?: ExtraStatements): Promise<Brand | undefined>
  /** Updates the models of all brands after a change of the catalogue. */
  refresh(): Promise<void>
}

export async function createBrands(
  store: Pick<Store, 'database' | 'writeAtomically' | 'onConfigChanged'>,
  catalogue: Pick<OpenCatalogue, 'current' | 'find'>,
  clock: Clock,
): Promise<Brands> {
  const { database } = store
  let byNo = new Map<number, LoadedBrand>()
  let byHost = new Map<string, Brand>()
  let byId = new Map<string, Brand>()
  let defaultBrand: Brand
  const logos = new LogoCache(database)
  const accounts = new AccountBrands(database)
  let loadedCatalogue: Catalogue | null = null
  const loading = new SerialQueue()
  const reload = (): Promise<void> => loading.run(load)
  await reload()

  async function load(): Promise<void> {
    const fullCatalogue = catalogue.current
    const loadedBrands = await readBrands(database, fullCatalogue, fullCatalogue === loadedCatalogue ? byNo : new Map())
    loadedCatalogue = fullCatalogue
    const brands = [...loadedBrands.values()].map(({ brand }) => brand)
    const foundDefault = brands.find(({ isDefault }) => isDefault)
    if (foundDefault === undefined) throw new Error('there is no default brand')
    byNo = loadedBrands
    byHost = new Map(brands.flatMap((brand) => brand.hosts.map((host) => [host, brand])))
    byId = new Map(brands.map((brand) => [brand.id, brand]))
    defaultBrand = foundDefault
  }

  async function changeBrand(id: string, write: (brand: Brand) => Promise<void>): Promise<Brand | undefined> {
    // Another process may just have created the brand.
    if (!byId.has(id)) await reload()
    const brand = byId.get(id)
    if (brand === undefined) return undefined
    await write(brand)
    await reload()
    return byId.get(id)
  }

  const stopListening = store.onConfigChanged(reload)

  return {
    ofHost: (host) => (host === undefined || byHost.size === 0 ? defaultBrand : (byHost.get(hostNameOf(host)) ?? defaultBrand)),
    all: () => [...byId.values()],
    find: (id) => byId.get(id),
    async ofAccount(accountNo) {
      // Most installations have only one brand, and need no query.
      if (byNo.size === 1) return defaultBrand
      const no = await accounts.brandNoOf(accountNo)
      return no === undefined ? undefined : byNo.get(no)?.brand
    },
    logoOf: (brand) => logos.read(brand),

    async createBrand(request, extraStatements) {
      const { id, isNew } = await insertBrand(store, request, clock(), extraStatements)
      await reload()
      const brand = byId.get(id)
      if (brand === undefined) throw new Error('a new brand is missing')
      return { brand, isNew }
    },

    changeBrand: (id, changes, extraStatements, releaseStatements) =>
      changeBrand(id, (brand) => updateBrand(store, brand, changes, extraStatements, releaseStatements)),

    setBrandModel(id, modelId, changes, extraStatements) {
      return changeBrand(id, async (brand) => {
        // The settings for a model remain after its deletion, and can still be reset.
        const isReset = (changes.visibility ?? changes.title ?? null) === null && brand.models.has(modelId)
        if (!isReset && catalogue.find(modelId) === undefined)
          throw new InvalidBrand(`There is no model ${JSON.stringify(modelId)}.`)
        await putBrandModel(store, brand, modelId, changes, extraStatements)
      })
    },

    makeDefault: (id, extraStatements) => changeBrand(id, (brand) => moveDefault(store, brand, extraStatements)),

    refresh: reload,

    [Symbol.dispose]: stopListening,
  }
}
