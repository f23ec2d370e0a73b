import {
  priceBody,
  priceInForceParameters,
  priceListParameters,
  priceSimulationBody,
  tokenObjects,
  type PriceChange,
  type PriceInForce,
  type PriceLineView,
  type PriceSimulation,
} from '@framegate/contract'
import { ownersForAccount, ownersForBrand, effectivePrice } from '../../../admin/effective-price.ts'
import { priceLineViews, stateOf } from '../../../admin/price-view.ts'
import { simulatePrice } from '../../../admin/simulate-price.ts'
import { priceView } from '../../../catalogue/model-view.ts'
import type { PriceRule } from '../../../catalogue/model.ts'
import type { PriceLine, PriceOwner } from '../../../catalogue/price-book.ts'
import { InvalidPrice } from '../../../catalogue/price-amounts.ts'
import type { PriceSetting } from '../../../credits/prices.ts'
import { AppError } from '../../../lib/app-error.ts'
import { dayMs } from '../../../lib/dates.ts'
import { mapNullable } from '../../../lib/map-nullable.ts'
import { listOf } from '../../responses/list-text.ts'
import { invalidParameter, readQueryParameters } from '../../parameters/query-parameters.ts'
import { readDays } from '../../parameters/read-days.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { numberOfCursor } from './number-of-cursor.ts'
import { readBody } from './read-body.ts'
import { requireModel } from './require-model.ts'
import { unknownAccountMessage } from './require-account.ts'

interface RequestedOwner extends PriceOwner {
  account: { no: number; brandNo: number } | null
}

export function addPriceRoutes(
  add: AddAdminRoute,
  { store, prices, catalogue, models, clock }: Pick<HttpDependencies, 'store' | 'prices' | 'catalogue' | 'models' | 'clock'>,
): void {
  const { database } = store
  let isSimulating = false

  function viewsOf(lines: readonly PriceLine[]): Promise<PriceLineView[]> {
    return priceLineViews(database, lines, prices, clock())
  }

  async function viewOf(line: PriceLine | undefined): Promise<PriceLineView | null> {
    return line === undefined ? null : ((await viewsOf([line]))[0] ?? null)
  }

  async function readOwner(brandId: string | undefined, accountId: string | undefined): Promise<RequestedOwner> {
    if (brandId !== undefined && accountId !== undefined) {
      throw invalidParameter('account', 'Send either brand or account, not both.')
    }
    const owner: RequestedOwner = { brandNo: null, accountNo: null, account: null }
    if (brandId !== undefined) {
      const brand = await database.selectFrom('brands').select('no').where('id', '=', brandId).executeTakeFirst()
      if (brand === undefined) throw invalidParameter('brand', `There is no brand with the id ${brandId}.`)
      owner.brandNo = brand.no
    }
    if (accountId !== undefined) {
      const account = await database
        .selectFrom('accounts')
        .select(['no', 'brand_no'])
        .where('id', '=', accountId)
        .executeTakeFirst()
      if (account === undefined) throw invalidParameter('account', unknownAccountMessage(accountId))
      owner.accountNo = account.no
      owner.account = { no: account.no, brandNo: account.brand_no }
    }
    return owner
  }

  add('GET', '/prices', async ({ request }) => {
    const { limit, cursor, model, brand, account, state } = readQueryParameters(request.query, priceListParameters)
    const beforeNo = numberOfCursor(cursor) ?? Number.MAX_SAFE_INTEGER
    const { brandNo, accountNo } = await readOwner(brand, account)
    const nowMs = clock()
    const lines = prices.lines.filter(
      (line) =>
        line.no < beforeNo &&
        (model === undefined || line.model === model) &&
        (brandNo === null || line.brandNo === brandNo) &&
        (accountNo === null || line.accountNo === accountNo) &&
        (state === undefined || stateOf(line, prices, nowMs) === state),
    )
    const page = lines.slice(-limit).toReversed()
    const lastLine = page.at(-1)
    return listOf(await viewsOf(page), lines.length > limit && lastLine !== undefined ? String(lastLine.no) : null)
  })

  add('GET', '/prices/current', async ({ request }): Promise<PriceInForce> => {
    const parameters = readQueryParameters(request.query, priceInForceParameters)
    if (parameters.model === undefined) throw invalidParameter('model', 'model is required; send the Model ID of the price.')
    const model = requireModel(catalogue, parameters.model)
    const { brandNo, account } = await readOwner(parameters.brand, parameters.account)
    const nowMs = clock()
    const owners = account === null ? ownersForBrand(brandNo) : ownersForAccount(account.no, account.brandNo)
    const { rule, from, line } = effectivePrice(model, owners, prices, nowMs)
    const laterLines = prices.lines
      .filter((line) => line.model === model.id && owners.some(([, owner]) => isOwner(line, owner)))
      .filter((line) => stateOf(line, prices, nowMs) === 'later')
      .toSorted((a, b) => a.effectiveAtMs - b.effectiveAtMs)
    return {
      object: 'price_in_force',
      model: model.id,
      brand: parameters.brand ?? null,
      account: parameters.account ?? null,
      price: mapNullable(rule, priceView),
      from,
      line: await viewOf(line),
      later: await viewsOf(laterLines),
    }
  })

  add('POST', '/prices/simulate', async ({ request }): Promise<PriceSimulation> => {
    const { models: modelIds, brand, account, price, from, to } = readBody(request, priceSimulationBody)
    const nowMs = clock()
    const { fromDay, lastDay } = readDays({ from, to }, 'to', nowMs)
    const { brandNo, accountNo } = await readOwner(brand, account)
    const rules = new Map<string, PriceRule | null>()
    for (const modelId of modelIds) {
      const { object } = requireModel(catalogue, modelId, 'models')
      if (tokenObjects.some((candidate) => candidate === object)) {
        throw invalidParameter(
          'models',
          `models must not contain ${modelId}, because models that are priced by tokens cannot be simulated.`,
        )
      }
      const { after } = await mapErrors(prices.trySetPrice({ model: modelId, brandNo, accountNo, price }))
      rules.set(modelId, after?.rule ?? null)
    }
    if (isSimulating) throw new AppError('conflict', 'Another simulation is running; try again after it has ended.')
    isSimulating = true
    try {
      const period = { fromMs: fromDay * dayMs, untilMs: Math.min(nowMs, (lastDay + 1) * dayMs) }
      return await simulatePrice({ store, catalogue, models, prices }, { rules, owner: { brandNo, accountNo }, ...period, nowMs })
    } finally {
      isSimulating = false
    }
  })

  add('POST', '/prices', async ({ request, reply, audit }): Promise<PriceChange> => {
    const { model, brand, account, price, effective_at, dry_run } = readBody(request, priceBody)
    // The prices of a deleted model remain and can be removed.
    const isRemoval = price === null && prices.lines.some((line) => line.model === model)
    if (!isRemoval) requireModel(catalogue, model)
    const { brandNo, accountNo } = await readOwner(brand, account)
    const effectiveAtMs = effective_at === undefined ? undefined : effective_at * 1000
    const priceRequest = { model, brandNo, accountNo, price, effectiveAtMs }
    const dryRun = await mapErrors(prices.trySetPrice(priceRequest))
    const auditView = {
      brand: brand ?? null,
      account: account ?? null,
      price,
      ...(effective_at !== undefined && { effective_at }),
    }
    const extraStatements = audit(price === null ? 'price.remove' : 'price.set', await viewOf(dryRun.before), auditView)
    const setting = dry_run === true ? dryRun : await prices.setPrice(priceRequest, extraStatements)
    if (setting.isChanged && dry_run !== true) reply.code(201)
    return {
      object: 'price_change',
      changed: setting.isChanged,
      before: await viewOf(setting.before),
      after: await viewOf(setting.after),
    }
  })
}

function isOwner(line: PriceOwner, { brandNo, accountNo }: PriceOwner): boolean {
  return line.brandNo === brandNo && line.accountNo === accountNo
}

async function mapErrors(operation: Promise<PriceSetting>): Promise<PriceSetting> {
  try {
    return await operation
  } catch (error) {
    if (error instanceof InvalidPrice) throw new AppError('invalid_parameter', `The price ${error.message}.`, { param: 'price' })
    throw error
  }
}
