import type { PriceSimulation } from '@framegate/contract'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { ModelDefinition, PriceRule } from '../catalogue/model.ts'
import type { PriceBook, PriceOwner } from '../catalogue/price-book.ts'
import { coversRequest, quotePrice, settlePrice } from '../catalogue/price.ts'
import { creditsOf } from '../credits/micro-credits.ts'
import type { Store } from '../db/store.ts'
import { createdAtMsOfNo, firstTaskNoAt } from '../identity/task-id.ts'
import type { OperatorModels } from '../models/operator-models.ts'
import { readBilledInputs, readImprovesPrompt, readParameters } from '../tasks/parameters-text.ts'
import { effectivePrice, ownersForAccount } from './effective-price.ts'
import { readChargedTasks, type ChargedTask } from './read-charged-tasks.ts'

/** Number of counted tasks after which a simulation reads no further page. */
const tasksMax = 100_000
/** Number of task rows after which a simulation reads no further page. */
const rowsReadMax = 1_000_000
const timeLimitMs = 20_000

export interface SimulationSources {
  store: Pick<Store, 'database' | 'readMany'>
  catalogue: Pick<Catalogue, 'find'>
  models: Pick<OperatorModels, 'readVersion'>
  prices: PriceBook
}

export interface PriceTrial {
  /** The simulated price of each model. Null: the next broader price applies. */
  rules: ReadonlyMap<string, PriceRule | null>
  owner: PriceOwner
  fromMs: number
  untilMs: number
  nowMs: number
}

/** Numbers of tasks, and charges in micro-credits. */
interface Sums {
  tasks: number
  charged: number
  simulated: number
  skipped: number
}

/** Computes the charges of completed tasks under another price, starting with the newest tasks. */
export async function simulatePrice(sources: SimulationSources, trial: PriceTrial): Promise<PriceSimulation> {
  const { rules, owner, fromMs, untilMs } = trial
  const sums = new Map(
    [...rules.keys()].map((model): [string, Sums] => [model, { tasks: 0, charged: 0, simulated: 0, skipped: 0 }]),
  )
  const findDefinition = createDefinitionFinder(sources)
  const endMs = performance.now() + timeLimitMs
  const fromNo = firstTaskNoAt(fromMs)
  let beforeNo = firstTaskNoAt(untilMs)
  let rowsRead = 0
  let tasksCounted = 0
  while (beforeNo > fromNo) {
    if (rowsRead >= rowsReadMax || tasksCounted >= tasksMax || performance.now() > endMs) break
    const page = await readChargedTasks(sources.store, { models: [...rules.keys()], owner, fromNo, beforeNo })
    for (const task of page.tasks) {
      const modelSums = sums.get(task.model)
      if (modelSums === undefined || hasNarrowerPrice(task, trial, sources.prices)) continue
      tasksCounted += 1
      const charge = simulatedCharge(task, await findDefinition(task), trial, sources.prices)
      if (charge === null) {
        modelSums.skipped += 1
        continue
      }
      modelSums.tasks += 1
      modelSums.charged += task.charged
      modelSums.simulated += charge
    }
    rowsRead += page.rowsRead
    beforeNo = page.nextBeforeNo
  }
  const isComplete = beforeNo <= fromNo
  return {
    object: 'price_simulation',
    from: Math.floor((isComplete ? fromMs : createdAtMsOfNo(beforeNo)) / 1000),
    until: Math.floor(untilMs / 1000),
    complete: isComplete,
    items: [...sums].map(([model, modelSums]) => Object.assign({ model }, sumsView(modelSums))),
    total: sumsView(totalOf([...sums.values()])),
  }
}

/** Whether the task's account has a more specific price than the simulated one. */
function hasNarrowerPrice(task: ChargedTask, { owner, nowMs }: PriceTrial, prices: PriceBook): boolean {
  const narrowerOwners = ownersOf(task).slice(0, precedenceOf(owner))
  return narrowerOwners.some(([, narrowerOwner]) => (prices.lineAt(task.model, narrowerOwner, nowMs)?.rule ?? null) !== null)
}

/** The owners whose prices apply to a task, most specific first. */
function ownersOf({ accountNo, brandNo }: ChargedTask): ReturnType<typeof ownersForAccount> {
  return ownersForAccount(accountNo, brandNo)
}

/** Index of an owner in `ownersOf`. */
function precedenceOf({ accountNo, brandNo }: PriceOwner): number {
  if (accountNo !== null) return 0
  return brandNo === null ? 2 : 1
}

/** Returns null if the stored data of the task does not determine its new price. */
function simulatedCharge(
  task: ChargedTask,
  definition: ModelDefinition | undefined,
  { rules, owner, nowMs }: PriceTrial,
  prices: PriceBook,
): number | null {
  if (definition === undefined) return null
  const broaderOwners = ownersOf(task).slice(precedenceOf(owner) + 1)
  const rule = rules.get(task.model) ?? effectivePrice(definition, broaderOwners, prices, nowMs).rule
  const parameters = readParameters(task.parameters, null)
  const acceptedPrice = task.priceNo === null ? definition.price : (prices.ruleOf(task.priceNo) ?? null)
  if (rule === null || acceptedPrice === null || !coversRequest(definition, parameters, rule)) return null
  const inputs = readBilledInputs(task.parameters)
  if (rule.inputs !== undefined && acceptedPrice.inputs === undefined) return null
  if (rule.unit === 'second' && task.producedSeconds.includes(null)) return null
  const improvement =
    task.isImproved && readImprovesPrompt(task.parameters) && coversRequest(definition, parameters, acceptedPrice)
      ? Math.max(0, task.held - quotePrice(definition, parameters, acceptedPrice, inputs))
      : 0
  return settlePrice(definition, parameters, task.producedSeconds, rule, inputs) + improvement
}

/** Returns a function that finds the model definition under which a task was accepted. */
function createDefinitionFinder({ catalogue, models }: SimulationSources) {
  const formerVersions = new Map<number, Promise<ModelDefinition | undefined>>()
  return async ({ model: id, versionNo }: ChargedTask): Promise<ModelDefinition | undefined> => {
    const model = catalogue.find(id)
    if (model?.versionNo === versionNo) return model
    if (versionNo === null) return undefined
    const version = formerVersions.get(versionNo) ?? models.readVersion(versionNo)
    formerVersions.set(versionNo, version)
    return version
  }
}

function totalOf(parts: readonly Sums[]): Sums {
  const sum = (amountOf: (part: Sums) => number): number => parts.reduce((total, part) => total + amountOf(part), 0)
  return {
    tasks: sum(({ tasks }) => tasks),
    charged: sum(({ charged }) => charged),
    simulated: sum(({ simulated }) => simulated),
    skipped: sum(({ skipped }) => skipped),
  }
}

function sumsView({ tasks, charged, simulated, skipped }: Sums): PriceSimulation['total'] {
  return {
    tasks,
    charged: creditsOf(charged),
    simulated: creditsOf(simulated),
    difference: creditsOf(simulated - charged),
    skipped,
  }
}
