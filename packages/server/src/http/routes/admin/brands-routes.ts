import {
  brandChangeBody,
  brandCreateBody,
  brandModelBody,
  type AdminBrand,
  type AdminBrandModel,
  type BrandChangeBody,
} from '@framegate/contract'
import { ownersForBrand, effectivePrice } from '../../../admin/effective-price.ts'
import type { Brand } from '../../../brands/brand.ts'
import type { BrandChange, ReleaseStatements } from '../../../brands/change-brands.ts'
import { InvalidBrand } from '../../../brands/invalid-brand.ts'
import { viewInBrand } from '../../../catalogue/catalogue-of-brand.ts'
import type { Model } from '../../../catalogue/model.ts'
import { priceView } from '../../../catalogue/model-view.ts'
import { AppError } from '../../../lib/app-error.ts'
import { creditsOf, microCreditsOf } from '../../../credits/micro-credits.ts'
import { mapNullable } from '../../../lib/map-nullable.ts'
import type { DecodeImageFile } from '../../../media/decode-image-file.ts'
import { allowJsonBody } from '../../bodies/json-body.ts'
import { listOf } from '../../responses/list-text.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { pageOf } from './page-of.ts'
import { readBody } from './read-body.ts'
import { readLogo } from './read-logo.ts'

export function addBrandRoutes(
  add: AddAdminRoute,
  {
    brands,
    catalogue,
    prices,
    decodeImageFile,
    clock,
  }: Pick<HttpDependencies, 'brands' | 'catalogue' | 'prices' | 'decodeImageFile' | 'clock'>,
): void {
  function readBrand(id: string | undefined): Brand {
    const brand = brands.find(id ?? '')
    if (brand === undefined) throw new AppError('resource_not_found', `There is no brand with the id ${id}.`)
    return brand
  }

  add('GET', '/brands', async () => listOf(brands.all().map(brandView), null))

  add('GET', '/brands/:id', async ({ params }) => brandView(readBrand(params['id'])))

  add('POST', '/brands', async ({ request, reply, audit }) => {
    const body = readBody(request, brandCreateBody)
    const appearance = await readAppearance(body, decodeImageFile)
    const { name, hosts } = body
    const change = { name, ...(hosts && { hosts }), ...appearance }
    const creation = brands.createBrand(change, audit('brand.create', null, recordOf(body, appearance)))
    const { brand, isNew } = await mapErrors(creation)
    if (isNew) reply.code(201)
    return brandView(brand)
  })

  add('PATCH', '/brands/:id', async ({ request, params, audit }) => {
    const before = readBrand(params['id'])
    const body = readBody(request, brandChangeBody)
    const appearance = await readAppearance(body, decodeImageFile)
    const extraStatements = audit('brand.change', brandView(before), recordOf(body, appearance))
    const releaseStatements: ReleaseStatements = (id, hosts, remainingHosts) => {
      // `brand` is undefined if another process has just created it.
      const brand = brands.find(id)
      return audit('brand.change', { ...(brand && brandView(brand)), hosts }, { hosts: remainingHosts })(id)
    }
    const change = { ...changeOf(body), ...appearance }
    return viewAfterChange(before, brands.changeBrand(before.id, change, extraStatements, releaseStatements))
  })

  function brandModelView(brand: Brand, model: Model): AdminBrandModel {
    const setting = brand.models.get(model.id)
    const { rule, from } = effectivePrice(model, ownersForBrand(brand.no), prices, clock())
    return {
      object: 'brand_model',
      brand: brand.id,
      model: model.id,
      ...viewInBrand(model, brand.models, brand.otherModels),
      own_visibility: setting?.visibility ?? null,
      own_title: setting?.title ?? null,
      price: mapNullable(rule, priceView),
      price_from: from,
    }
  }

  add('GET', '/brands/:id/models', async ({ request, params }) => {
    const readAll = () => {
      const brand = readBrand(params['id'])
      return catalogue.models.map((model) => ({ brand, model }))
    }
    return pageOf(request.query, readAll, ({ brand, model }) => brandModelView(brand, model))
  })

  add('GET', '/brands/:id/models/:model', async ({ params }) => {
    const brand = readBrand(params['id'])
    const model = catalogue.find(params['model'] ?? '')
    if (model === undefined) throw new AppError('resource_not_found', `There is no model ${JSON.stringify(params['model'])}.`)
    return brandModelView(brand, model)
  })

  add('POST', '/brands/:id/models', async ({ request, params, audit }) => {
    const before = readBrand(params['id'])
    const body = readBody(request, brandModelBody)
    const { model, visibility, title } = body
    const change = { ...(visibility !== undefined && { visibility }), ...(title !== undefined && { title }) }
    const extraStatements = audit('brand.change', brandView(before), body)
    return viewAfterChange(before, brands.setBrandModel(before.id, model, change, extraStatements))
  })

  add('POST', '/brands/:id/default', async ({ request, params, audit }) => {
    allowJsonBody(request)
    const before = readBrand(params['id'])
    const extraStatements = audit('brand.change', brandView(before), { is_default: true })
    return viewAfterChange(before, brands.makeDefault(before.id, extraStatements))
  })
}

/**
 * Returns the view of the changed brand, or of the brand `before` if the change has no effect.
 */
async function viewAfterChange(before: Brand, change: Promise<Brand | undefined>): Promise<AdminBrand> {
  return brandView((await mapErrors(change)) ?? before)
}

async function mapErrors<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    if (error instanceof InvalidBrand) throw new AppError('invalid_parameter', error.message)
    throw error
  }
}

type Appearance = Pick<BrandChange, 'color' | 'logo'>

/** Reads the color and the logo. The logo is decoded like an upload, and stored as pixels. */
async function readAppearance({ color, logo }: BrandChangeBody, decode: DecodeImageFile): Promise<Appearance> {
  return {
    ...(color !== undefined && { color }),
    ...(logo !== undefined && { logo: logo === null ? null : await readLogo(logo, decode) }),
  }
}

/** Returns the request for the audit log, with the hash of the logo instead of its data. */
function recordOf(body: object, { logo }: Appearance): object {
  return logo ? { ...body, logo: logoView(logo.sha256) } : body
}

function logoView(sha256: string): string {
  return `sha256:${sha256}`
}

function changeOf(body: BrandChangeBody): BrandChange {
  const { name, hosts, move_hosts, result_origin, other_models } = body
  const { tasks_in_flight_max, credits_in_flight_max, prompt_retention_days } = body
  return {
    ...(name !== undefined && { name }),
    ...(hosts !== undefined && { hosts }),
    ...(move_hosts !== undefined && { movesHosts: move_hosts }),
    ...(result_origin !== undefined && { resultOrigin: result_origin }),
    ...(other_models !== undefined && { otherModels: other_models }),
    ...(tasks_in_flight_max !== undefined && { tasksInFlightMax: tasks_in_flight_max }),
    ...(credits_in_flight_max !== undefined && { creditsInFlightMax: mapNullable(credits_in_flight_max, microCreditsOf) }),
    ...(prompt_retention_days !== undefined && { promptRetentionDays: prompt_retention_days }),
  }
}

function brandView(brand: Brand): AdminBrand {
  return {
    object: 'brand',
    id: brand.id,
    name: brand.name,
    is_default: brand.isDefault,
    hosts: [...brand.hosts],
    result_origin: brand.resultOrigin,
    color: brand.color,
    logo: mapNullable(brand.logoSha256, logoView),
    models: [...brand.models].map(([id, { visibility, title }]) => ({ id, visibility, title })),
    other_models: brand.otherModels,
    tasks_in_flight_max: brand.tasksInFlightMax,
    credits_in_flight_max: mapNullable(brand.creditsInFlightMax, creditsOf),
    prompt_retention_days: brand.promptRetentionDays,
    created: Math.floor(brand.createdAtMs / 1000),
  }
}
