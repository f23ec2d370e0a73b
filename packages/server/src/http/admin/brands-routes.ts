import { brandChangeBody, brandCreateBody, brandModelBody, type AdminBrand, type BrandChangeBody } from '@framegate/contract'
import { recordChange } from '../../admin/audit-log.ts'
import type { Brand } from '../../brands/brand.ts'
import type { BrandChange } from '../../brands/change-brands.ts'
import { WrongBrand } from '../../brands/wrong-brand.ts'
import { AppError } from '../../lib/app-error.ts'
import { creditsOf, microCreditsOf } from '../../lib/micro-credits.ts'
import { orNull } from '../../lib/or-null.ts'
import { allowJsonBody } from '../json-body.ts'
import { listOf } from '../list-text.ts'
import type { HttpContext } from '../services.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { readBody } from './read-body.ts'

export function addBrandRoutes(add: AddAdminRoute, { store, brands, clock }: HttpContext): void {
  function find(id: string | undefined): Brand {
    const brand = brands.find(id ?? '')
    if (brand === undefined) throw new AppError('resource_not_found', `There is no brand with the id ${id}.`)
    return brand
  }

  /** Makes the change, then says who has made it. */
  async function change(keyNo: number, before: Brand, asked: unknown, made: Promise<Brand | undefined>): Promise<AdminBrand> {
    const after = brandView((await asRefusal(made)) ?? before)
    const entry = { keyNo, action: 'brand.change', target: before.id, before: brandView(before), after: asked }
    await recordChange(store.query, entry, clock())
    return after
  }

  add('GET', '/brands', async () => listOf(brands.all().map(brandView), null))

  add('GET', '/brands/:id', async ({ params }) => brandView(find(params['id'])))

  add('POST', '/brands', async ({ request, reply, keyNo }) => {
    const body = readBody(request, brandCreateBody)
    const existing = brands.all().find(({ name }) => name === body.name)
    if (existing !== undefined) return brandView(existing)
    const made = brandView(await asRefusal(brands.createBrand(body)))
    await recordChange(store.query, { keyNo, action: 'brand.create', target: made.id, before: null, after: made }, clock())
    reply.code(201)
    return made
  })

  add('PATCH', '/brands/:id', async ({ request, params, keyNo }) => {
    const before = find(params['id'])
    const body = readBody(request, brandChangeBody)
    return change(keyNo, before, body, brands.changeBrand(before.id, changeOf(body)))
  })

  add('POST', '/brands/:id/models', async ({ request, params, keyNo }) => {
    const before = find(params['id'])
    const body = readBody(request, brandModelBody)
    const { model, visibility, title } = body
    const asked = { ...(visibility !== undefined && { visibility }), ...(title !== undefined && { title }) }
    return change(keyNo, before, body, brands.setBrandModel(before.id, model, asked))
  })

  add('POST', '/brands/:id/default', async ({ request, params, keyNo }) => {
    allowJsonBody(request)
    const before = find(params['id'])
    return change(keyNo, before, { is_default: true }, brands.makeDefault(before.id))
  })
}

/** What a brand cannot be is the request's fault. */
async function asRefusal<Made>(made: Promise<Made>): Promise<Made> {
  try {
    return await made
  } catch (error) {
    if (error instanceof WrongBrand) throw new AppError('invalid_parameter', error.message)
    throw error
  }
}

function changeOf(body: BrandChangeBody): BrandChange {
  const { name, hosts, result_origin, other_models, tasks_in_flight_max, credits_in_flight_max } = body
  return {
    ...(name !== undefined && { name }),
    ...(hosts !== undefined && { hosts }),
    ...(result_origin !== undefined && { resultOrigin: result_origin }),
    ...(other_models !== undefined && { otherModels: other_models }),
    ...(tasks_in_flight_max !== undefined && { tasksInFlightMax: tasks_in_flight_max }),
    ...(credits_in_flight_max !== undefined && { creditsInFlightMax: orNull(credits_in_flight_max, microCreditsOf) }),
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
    models: [...brand.models].map(([id, { visibility, title }]) => ({ id, visibility, title })),
    other_models: brand.otherModels,
    tasks_in_flight_max: brand.tasksInFlightMax,
    credits_in_flight_max: orNull(brand.creditsInFlightMax, creditsOf),
    created: Math.floor(brand.createdAtMs / 1000),
  }
}
