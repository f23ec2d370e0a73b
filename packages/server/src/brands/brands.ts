import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'
import { inOrder } from '../lib/in-order.ts'
import type { Brand } from './brand.ts'
import {
  insertBrand,
  moveDefault,
  putBrandModel,
  updateBrand,
  type BrandChange,
  type BrandModelChange,
  type BrandRequest,
} from './change-brands.ts'
import { hostNameOf } from './host-name.ts'
import { readBrands, type ReadBrand } from './read-brands.ts'
import { WrongBrand } from './wrong-brand.ts'

/**
 * All brands, in memory: a request finds its own by one look-up of its host, without asking the database. What another process
 * changes is known within a second. What changes a brand answers with the brand as it is then, or with undefined when
 * there is none of this id, and throws `WrongBrand`.
 */
export interface Brands extends Disposable {
  /** Whose this Host header is: the default brand's, unless another one has it. */
  ofHost(host: string | undefined): Brand
  /** In the order in which they were made. */
  all(): Brand[]
  find(id: string): Brand | undefined
  createBrand(request: BrandRequest): Promise<Brand>
  changeBrand(id: string, change: BrandChange): Promise<Brand | undefined>
  setBrandModel(id: string, modelId: string, change: BrandModelChange): Promise<Brand | undefined>
  /** Makes it the one that answers on every host that belongs to none. */
  makeDefault(id: string): Promise<Brand | undefined>
}

export async function createBrands(
  store: Pick<Store, 'query' | 'onRulesChanged'>,
  catalogue: Catalogue,
  clock: Clock,
): Promise<Brands> {
  const { query } = store
  let byNo = new Map<number, ReadBrand>()
  let byHost = new Map<string, Brand>()
  let byId = new Map<string, Brand>()
  let usual: Brand
  const { run: reload } = inOrder(load)
  await reload()

  async function load(): Promise<void> {
    const read = await readBrands(query, catalogue, byNo)
    const brands = [...read.values()].map(({ brand }) => brand)
    const found = brands.find(({ isDefault }) => isDefault)
    if (found === undefined) throw new Error('there is no default brand')
    byNo = read
    byHost = new Map(brands.flatMap((brand) => brand.hosts.map((host) => [host, brand])))
    byId = new Map(brands.map((brand) => [brand.id, brand]))
    usual = found
  }

  async function change(id: string, write: (brand: Brand) => Promise<void>): Promise<Brand | undefined> {
    // Another process may have made it a moment ago.
    if (!byId.has(id)) await reload()
    const brand = byId.get(id)
    if (brand === undefined) return undefined
    await write(brand)
    await reload()
    return byId.get(id)
  }

  const stopListening = store.onRulesChanged(reload)

  return {
    ofHost: (host) => (host === undefined || byHost.size === 0 ? usual : (byHost.get(hostNameOf(host)) ?? usual)),
    all: () => [...byId.values()],
    find: (id) => byId.get(id),

    async createBrand(request) {
      const no = await insertBrand(query, request, clock())
      await reload()
      const made = byNo.get(no)
      if (made === undefined) throw new Error('a brand that was made is not there')
      return made.brand
    },

    changeBrand: (id, changes) => change(id, (brand) => updateBrand(query, brand, changes)),

    setBrandModel(id, modelId, changes) {
      return change(id, async (brand) => {
        if (catalogue.find(modelId) === undefined) throw new WrongBrand(`There is no model ${JSON.stringify(modelId)}.`)
        await putBrandModel(query, brand, modelId, changes)
      })
    },

    makeDefault: (id) => change(id, (brand) => moveDefault(query, usual, brand)),

    [Symbol.dispose]: stopListening,
  }
}
