import { isDeepStrictEqual } from 'node:util'
import type { PriceLineView, ShownPrice } from '@framegate/contract'
import { priceText } from '../terminal/model-page.ts'
import { timeText } from '../terminal/time.ts'
import type { DeclaredPrice } from './applied-file.ts'
import { violationAt, fieldOrItem } from './located.ts'
import type { Planning } from './planning.ts'
import { nameOf, type PlannedAccounts } from './plan-accounts.ts'
import { quote, type PlannedBrands } from './plan-brands.ts'
import { send, type Handle, type Step } from './step.ts'

/** All accounts, the accounts of a brand, or one account, with the prices declared for them. */
interface PriceOwner {
  field: 'brand' | 'account' | null
  handle: Handle
  name: string
  declared: readonly DeclaredPrice[]
}

/** A price that the file declares from a time on. */
interface Setting {
  /** Null if the owner has no price of its own from that time on. */
  price: ShownPrice | null
}

export async function planPrices(planning: Planning, brands: PlannedBrands, accounts: PlannedAccounts): Promise<Step[]> {
  const steps: Step[] = []
  for (const owner of ownersOf(planning, brands, accounts)) {
    const lines = planning.installation.prices.filter((line) => belongsTo(line, owner))
    const declaredByModel = Map.groupBy(owner.declared, ({ model }) => model)
    for (const model of new Set([...declaredByModel.keys(), ...lines.map((line) => line.model)])) {
      const settings = await validatePrices(declaredByModel.get(model) ?? [], owner, planning)
      const modelPrices = lines.filter((line) => line.model === model)
      steps.push(...timelineSteps(model, owner, settings, modelPrices, planning.shouldPrune))
    }
  }
  return steps
}

function ownersOf({ file }: Planning, brands: PlannedBrands, accounts: PlannedAccounts): PriceOwner[] {
  const owners: PriceOwner[] = []
  if (file.prices !== null) owners.push({ field: null, handle: { id: '', name: 'all' }, name: 'all', declared: file.prices })
  for (const brand of brands.all) {
    const declaredPrices = brand.declared?.prices
    if (declaredPrices)
      owners.push({ field: 'brand', handle: brand, name: `brand ${quote(brand.name)}`, declared: declaredPrices })
  }
  for (const account of accounts.all) {
    const { prices: declaredPrices } = account.declared
    if (declaredPrices)
      owners.push({ field: 'account', handle: account, name: `account ${nameOf(account)}`, declared: declaredPrices })
  }
  return owners
}

function belongsTo({ brand, account }: PriceLineView, { field, handle }: PriceOwner): boolean {
  if (field === null) return brand === null && account === null
  if (handle.id === null) return false
  return (field === 'brand' ? brand : account) === handle.id
}

/**
 * Validates declared prices. Returns the valid ones by their start time in Unix seconds. The latest
 * price whose start has passed has the key 0. Earlier prices are not returned.
 */
async function validatePrices(
  declared: readonly DeclaredPrice[],
  { field, handle }: PriceOwner,
  { installation, violations }: Planning,
): Promise<Map<number, Setting>> {
  const settings = new Map<number, Setting>()
  for (const { at, model, price, effective_at = 0 } of declared.toSorted(byEffectiveTime)) {
    const owner = field === null || handle.id === null ? {} : { [field]: handle.id }
    const dryRun = await installation.validatePrice({ model, price, ...owner })
    if ('error' in dryRun) {
      const location = installation.modelIds.has(model) ? fieldOrItem(at, 'price') : fieldOrItem(at, 'model')
      violations.push(violationAt(location, `was rejected: ${dryRun.error}`))
    } else
      settings.set(effective_at <= installation.nowSeconds ? 0 : effective_at, { price: price === null ? null : dryRun.price })
  }
  return settings
}

function byEffectiveTime(first: DeclaredPrice, second: DeclaredPrice): number {
  return (first.effective_at ?? 0) - (second.effective_at ?? 0)
}

/**
 * Compares existing and declared prices at each time when one of them changes. Returns a step for
 * each difference.
 */
function timelineSteps(
  model: string,
  owner: PriceOwner,
  settings: ReadonlyMap<number, Setting>,
  lines: readonly PriceLineView[],
  shouldPrune: boolean,
): Step[] {
  const existingPrices = new Map(lines.map((line) => [line.state === 'current' ? 0 : line.effective_at, line.price]))
  const changeTimes = [...new Set([0, ...settings.keys(), ...existingPrices.keys()])].sort((left, right) => left - right)
  const steps: Step[] = []
  let existingPrice: ShownPrice | null = null
  let declaredPrice: ShownPrice | null = null
  for (const startSeconds of changeTimes) {
    const priceAtMoment = existingPrices.get(startSeconds)
    if (priceAtMoment !== undefined) existingPrice = priceAtMoment
    const setting = settings.get(startSeconds)
    if (setting !== undefined) declaredPrice = setting.price
    else if (!shouldPrune) declaredPrice = existingPrice
    if (isDeepStrictEqual(existingPrice, declaredPrice)) continue
    steps.push(priceStep(model, owner, startSeconds, existingPrice, declaredPrice, setting === undefined))
    existingPrice = declaredPrice
  }
  return steps
}

function priceStep(
  model: string,
  { field, handle, name }: PriceOwner,
  startSeconds: number,
  before: ShownPrice | null,
  after: ShownPrice | null,
  isPruned: boolean,
): Step {
  const action = isPruned || after === null ? 'remove' : before === null ? 'create' : 'change'
  const startText = startSeconds === 0 ? '' : ` from ${timeText(startSeconds)}`
  return {
    kind: 'price',
    name: `of ${model} for ${name}${startText}`,
    action,
    fields: [
      { field: 'price', ...(before !== null && { before: priceText(before) }), after: after === null ? null : priceText(after) },
    ],
    run(session) {
      const ownerFields = field === null ? {} : { [field]: handle.id }
      const startField = startSeconds === 0 ? {} : { effective_at: startSeconds }
      return send(session, 'POST', '/prices', { model, price: after, ...ownerFields, ...startField })
    },
  }
}
