import type { ModelPrice } from '@framegate/sdk'
import type { ServerSession } from '../connection/call-server.ts'
import { priceText } from '../terminal/model-page.ts'
import { facts, table } from '../terminal/table.ts'
import { callAndShow, listAndShow, type JsonOptions } from './call-and-show.ts'
import { everyPage } from './every-page.ts'
import { noChangeFailure } from './limits.ts'

export interface BrandOptions extends JsonOptions {
  brand: string
}

export interface BrandModelOptions extends BrandOptions {
  visibility?: BrandModel['visibility'] | 'catalogue'
  title?: string
}

interface BrandModel {
  brand: string
  model: string
  visibility: 'hidden' | 'visible' | 'invocable'
  title: string
  own_visibility: BrandModel['visibility'] | null
  own_title: string | null
  price: ModelPrice
  price_from: 'brand' | 'all' | 'catalogue'
}

/** Changes to a brand's settings for a model. Absent fields stay unchanged. */
interface BrandModelChange {
  visibility?: BrandModel['visibility'] | null
  title?: string | null
}

export async function listBrandModels({ brand, ...options }: BrandOptions): Promise<number> {
  return listAndShow(options, (session) => everyPage<BrandModel>(session, pathOf(brand)), {
    describe(models) {
      const rows = models.map((model) => [
        model.model,
        model.visibility,
        ownSettingsText(model),
        priceText(model.price),
        model.title,
      ])
      return table(
        [
          'MODEL ID',
          'SHOWN',
          { heading: 'SET BY THE BRAND', rank: 1 },
          { heading: 'CREDITS', long: 'wrap' },
          { heading: 'TITLE', long: 'shorten', rank: 2 },
        ],
        rows,
      )
    },
    whenEmpty: 'The catalogue has no models.',
  })
}

export async function showBrandModel(model: string, { brand, ...options }: BrandOptions): Promise<number> {
  return callAndShow(options, (session) => fetchBrandModel(session, brand, model), describe)
}

export async function setBrandModel(model: string, { brand, visibility, title, ...options }: BrandModelOptions): Promise<number> {
  if (visibility === undefined && title === undefined) throw noChangeFailure()
  return sendChange(model, brand, options, {
    ...(visibility !== undefined && { visibility: visibility === 'catalogue' ? null : visibility }),
    ...(title !== undefined && { title: title === 'none' ? null : title }),
  })
}

export async function resetBrandModel(model: string, { brand, ...options }: BrandOptions): Promise<number> {
  return sendChange(model, brand, options, { visibility: null, title: null })
}

async function sendChange(model: string, brand: string, options: JsonOptions, change: BrandModelChange): Promise<number> {
  return callAndShow(
    options,
    async (session) => {
      const { client, call } = session
      await client.request({ method: 'POST', path: pathOf(brand), body: { model, ...change } }, call)
      return fetchBrandModel(session, brand, model)
    },
    describe,
  )
}

function fetchBrandModel({ client, call }: ServerSession, brand: string, model: string): Promise<BrandModel> {
  return client.request<BrandModel>({ method: 'GET', path: `${pathOf(brand)}/${encodeURIComponent(model)}` }, call)
}

function describe(model: BrandModel): string {
  return facts([
    ['model', model.model],
    ['brand', model.brand],
    ['shown', withOrigin(model.visibility, model.own_visibility)],
    ['title', withOrigin(model.title, model.own_title)],
    ['credits', priceText(model.price)],
    ['price set for', { brand: 'the brand', all: 'all accounts', catalogue: 'the catalogue' }[model.price_from]],
  ])
}

function withOrigin(effectiveValue: string, ownValue: string | null): string {
  return ownValue === null ? effectiveValue : `${effectiveValue}, set by the brand`
}

function ownSettingsText({ own_visibility, own_title }: BrandModel): string {
  const ownFields = [own_visibility !== null && 'visibility', own_title !== null && 'title'].filter((name) => name !== false)
  return ownFields.length === 0 ? 'nothing' : ownFields.join(', ')
}

function pathOf(brand: string): string {
  return `/admin/v1/brands/${encodeURIComponent(brand)}/models`
}
