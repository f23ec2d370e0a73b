import { isDeepStrictEqual } from 'node:util'
import type { DefinedModels } from '../catalogue/catalogue.ts'
import { compareModels, type Drift } from '../catalogue/import/compare-models.ts'
import { digestOf } from '../catalogue/import/digest-of.ts'
import type { ImportedModel, ImportNote } from '../catalogue/import/imported-model.ts'
import { ImportError, SourceNotFound } from '../catalogue/import/import-error.ts'
import { readModelDocument } from '../catalogue/definitions/read-model-document.ts'
import type { ModelDocument } from '../catalogue/definitions/model-document.ts'
import { driverOfPack } from '../catalogue/packs/packs.ts'
import type { ExtraStatements } from '../db/statement.ts'
import { isObject } from '../lib/is-object.ts'
import { sentenceOf } from '../lib/field-violation.ts'
import { Semaphore } from '../lib/semaphore.ts'
import type { ModelEntry } from '../models/merge-models.ts'
import { ModelConflict, type ChangeModel, type OperatorModels, type WriteModel } from '../models/operator-models.ts'
import type { UpstreamDefinition } from '../routing/configuration/definitions.ts'
import type { RoutingContext } from '../routing/configuration/load-routing.ts'
import type { OperatorRouting, RouteChange } from '../routing/configuration/operator-routing.ts'
import { chooseUpstream } from './choose-upstream.ts'
import { convertSource, fetchShared, type ImportInputs } from './convert-source.ts'
import type { FetchDependencies } from './fetch-documents.ts'
import { readImportSource, type ImportSource } from './import-source.ts'
import { planRoutes, type PlannedRoute } from './plan-routes.ts'
import { priceExamples, type PriceExample } from './price-examples.ts'

export interface ImportRequest extends ImportInputs {
  sources: readonly string[]
  /** The Model ID. Default: derived from the source. */
  id?: string
  upstream?: string
  /** The `price` of the model definition. */
  price?: Readonly<Record<string, unknown>>
}

/** The changes that an import would make. */
export interface ImportPlan {
  document: ModelDocument
  routes: readonly PlannedRoute[]
  notes: readonly ImportNote[]
  prices: readonly PriceExample[]
  priceHint: string | null
  /**
   * The changes of the source since the model's last import. Empty: nothing has changed. Null: the
   * model is new.
   */
  drift: readonly Drift[] | null
  /** Whether the provider no longer has the source. Such a plan must not be saved. */
  isGone: boolean
  /** Returns the new document, given the document at the time of the write. */
  documentAfter: (before: Readonly<Record<string, unknown>>) => ModelDocument
}

export type ImportAudit = (action: string, before: unknown, after: unknown) => ExtraStatements

export interface ModelImporter {
  /** Fetches and converts the sources, without saving anything. Throws `ImportError`. */
  plan(request: ImportRequest): Promise<ImportPlan | { choices: readonly string[] }>
  /** Saves the model and its routes in one commit. */
  save(plan: ImportPlan, audit: ImportAudit): Promise<void>
}

export interface ModelImporterDependencies extends FetchDependencies {
  models: Pick<OperatorModels, 'entries' | 'create' | 'replace'>
  routing: Pick<OperatorRouting, 'upstreams' | 'routes' | 'setRoutesWith'>
  /** Returns the context for validating routes when the given models are in use. */
  routingContextOf: (models: DefinedModels) => RoutingContext
}

const concurrentImportsMax = 4
const importTimeoutMs = 60_000

export function createModelImporter({
  models,
  routing,
  routingContextOf,
  ...fetchDependencies
}: ModelImporterDependencies): ModelImporter {
  const semaphore = new Semaphore(concurrentImportsMax)

  async function plan(request: ImportRequest): Promise<ImportPlan | { choices: readonly string[] }> {
    const source = readImportSource(request.sources)
    const signal = AbortSignal.timeout(importTimeoutMs)
    if (!(await semaphore.acquire(signal))) throw new ImportError('Other imports are still running; try again shortly.')
    try {
      return await planOf(source, await withDocument(source, request, signal), signal)
    } finally {
      semaphore.release()
    }
  }

  async function withDocument(source: ImportSource, request: ImportRequest, signal: AbortSignal): Promise<ImportRequest> {
    if (source.kind !== 'file' || request.document !== undefined) return request
    return { ...request, document: await fetchShared(source.address, fetchDependencies, signal) }
  }

  function chooseFor(source: ImportSource, driver: string, request: ImportRequest): UpstreamDefinition {
    return source.kind === 'openai'
      ? chooseUpstream(routing.upstreams, driver, source.upstream, 'openai:UPSTREAM[:MODEL]')
      : chooseUpstream(routing.upstreams, driver, request.upstream)
  }

  async function planOf(
    source: ImportSource,
    request: ImportRequest,
    signal: AbortSignal,
  ): Promise<ImportPlan | { choices: readonly string[] }> {
    const driver = driverOf(source, request)
    const upstream = driver === null ? null : chooseFor(source, driver, request)
    const convertedModel = await convertSource(source, upstream, request, fetchDependencies, signal).catch((cause: unknown) => {
      const gonePlan = cause instanceof SourceNotFound ? planOfGone(request, cause) : undefined
      if (gonePlan === undefined) throw cause
      return gonePlan
    })
    if ('choices' in convertedModel || 'isGone' in convertedModel) return convertedModel
    const { model } = convertedModel
    const origin = request.sources.join(' ')
    const id = request.id ?? idOfOrigin(origin) ?? model.suggestedId
    const before = models.entries.find((entry) => entry.id === id)
    if (before !== undefined) requireSameOrigin(before, origin)
    const documentAfter = (current?: Readonly<Record<string, unknown>>): ModelDocument =>
      documentOf(model, { id, origin, price: request.price, before: current })
    const document = documentAfter(before?.document)
    const { definition, violations } = readModelDocument(document)
    const [violation] = violations
    if (violation !== undefined) throw new ImportError(sentenceOf(violation))
    const routes = upstream === null ? [] : planRoutes(id, model.routes, upstream, routing.routes)
    return {
      document,
      routes,
      notes: model.notes,
      prices: definition === undefined ? [] : priceExamples(definition),
      priceHint: model.priceHint,
      drift: before === undefined ? null : driftOf(before, document, routes),
      isGone: false,
      documentAfter,
    }
  }

  /**
   * Returns the plan for a model whose source no longer exists. Undefined: the model was not
   * imported before.
   */
  function planOfGone({ sources, id }: ImportRequest, { message }: SourceNotFound): ImportPlan | undefined {
    const origin = sources.join(' ')
    const before = models.entries.find((entry) => originOf(entry.document) === origin && (id === undefined || entry.id === id))
    if (before === undefined) return undefined
    const document = before.document as unknown as ModelDocument
    const drift: Drift = { field: 'source', kind: 'gone', message: `The provider no longer has this model. ${message}` }
    const unchangedPlan = { document, documentAfter: () => document, routes: [], notes: [], prices: [], priceHint: null }
    return { ...unchangedPlan, drift: [drift], isGone: true }
  }

  /** Returns the ID of the model that was previously imported from the same source. */
  function idOfOrigin(origin: string): string | undefined {
    return models.entries.find(({ document }) => originOf(document) === origin)?.id
  }

  function driftOf(before: ModelEntry, document: ModelDocument, routes: readonly PlannedRoute[]): Drift[] {
    const { parameters = {}, required = [] } = before.document as unknown as ModelDocument
    const drifts = compareModels(
      { parameters, required },
      { parameters: document.parameters ?? {}, required: document.required ?? [] },
    )
    for (const { name, definition } of routes) {
      const importedRoute = routing.routes.find((entry) => entry.source === 'api' && entry.name === name)
      const isSame =
        importedRoute !== undefined &&
        ['input', 'extra', 'workflow', 'slots'].every((part) => isDeepStrictEqual(importedRoute.raw[part], definition[part]))
      if (!isSame)
        drifts.push({
          field: `route ${name}`,
          kind: 'wider',
          message: importedRoute === undefined ? 'It is new.' : 'Parameters are now sent in a different way.',
        })
    }
    return drifts
  }

  async function save({ document, documentAfter, routes, drift }: ImportPlan, audit: ImportAudit): Promise<void> {
    const { id } = document
    const fields = document as unknown as Readonly<Record<string, unknown>>
    // The plan may be a minute old. Changes that an operator has made in the meantime are kept.
    const routeChanges = routes.map(({ name, definition }): RouteChange => ({
      name,
      definitionAfter: (before) => ({ ...before, ...definition }),
      extraStatementsAfter: (before) => audit('route.set', before ?? null, definition),
    }))
    const write: WriteModel = (newModels, ...statements) =>
      routing.setRoutesWith(routeChanges, routingContextOf(newModels), statements)
    if (drift === null) {
      await models.create(fields, audit('model.import', null, fields), write)
      return
    }
    const changeOf: ChangeModel = (before) => {
      const after = { ...documentAfter(before) }
      return { document: after, extraStatements: audit('model.import', before, after) }
    }
    const replaced = await models.replace(id, changeOf, write)
    if (replaced === undefined) throw new ModelConflict(`The model ${id} was deleted at the same time; import it again.`)
  }

  return { plan, save }
}

/** Returns the driver for a source. Null: the source does not determine a provider. */
function driverOf(source: ImportSource, { document }: ImportInputs): string | null {
  switch (source.kind) {
    case 'pack':
      return driverOfPack(source.name)
    case 'openrouter':
      return 'openai'
    case 'file': {
      const driver = document?.['driver']
      return typeof driver === 'string' ? driver : null
    }
    default:
      return source.kind
  }
}

function originOf(document: Readonly<Record<string, unknown>>): string | undefined {
  const { source } = document
  return isObject(source) && typeof source['import'] === 'string' ? source['import'] : undefined
}

function requireSameOrigin({ id, document, source }: ModelEntry, origin: string): void {
  if (source === 'file') throw new ImportError(`The model ${id} is defined in a file; change it there, or choose another ID.`)
  if (originOf(document) === origin) return
  throw new ImportError(`The model ${id} already exists, and was not imported from ${origin}; choose another ID.`)
}

/**
 * Returns the document of an imported model. When a model is imported again, it keeps the
 * operator's title, description, input limits, token limits, deadline, and the price unless the
 * request has one.
 */
function documentOf(
  model: ImportedModel,
  {
    id,
    origin,
    price,
    before,
  }: { id: string; origin: string; price: ImportRequest['price']; before: Readonly<Record<string, unknown>> | undefined },
): ModelDocument {
  const { object, title, description, parameters, tokens, required, inputs, examples, cover } = model
  const keptFields =
    before === undefined
      ? {}
      : Object.fromEntries(
          ['title', 'description', 'inputs', 'price', 'max_input_tokens', 'max_output_tokens', 'deadline'].flatMap((name) =>
            name in before ? [[name, before[name]]] : [],
          ),
        )
  return {
    id,
    object,
    title,
    ...(description !== '' && { description }),
    ...(inputs && { inputs }),
    ...(tokens && {
      max_input_tokens: tokens.inputMax,
      ...(tokens.outputMax > 0 && { max_output_tokens: tokens.outputMax }),
    }),
    ...keptFields,
    ...(tokens === undefined && { parameters }),
    ...(required.length > 0 && { required }),
    ...(price !== undefined && { price }),
    ...(examples.length > 0 && { examples }),
    source: { import: origin, digest: digestOf(model), ...(cover !== null && { cover }) },
  }
}
