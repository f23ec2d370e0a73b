import { modelImportBody, type AdminModelImport, type AdminModelPack } from '@framegate/contract'
import { ImportError } from '../../../catalogue/import/import-error.ts'
import { listPacks } from '../../../catalogue/packs/packs.ts'
import { validationError } from '../../../catalogue/validation-error.ts'
import type { ImportPlan } from '../../../importing/model-importer.ts'
import { testRoutes } from '../../../routing/test-routes.ts'
import { listOf } from '../../responses/list-text.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import type { AddAdminRoute } from './admin-route.ts'
import { mapModelErrors } from './map-model-errors.ts'
import { readBody } from './read-body.ts'
import { mapRoutingErrors } from './map-routing-errors.ts'

/** Adds the routes that import models from providers' schemas and from the built-in packs. */
export function addImportRoutes(
  add: AddAdminRoute,
  { importer, routing, routes }: Pick<HttpDependencies, 'importer' | 'routing' | 'routes'>,
): void {
  add('POST', '/models/import', async ({ request, audit }): Promise<AdminModelImport> => {
    const {
      dry_run: isDryRun = false,
      update = false,
      editor_file: editorFile,
      ...importRequest
    } = readBody(request, modelImportBody)
    const plan = await mapImportErrors(importer.plan({ ...importRequest, ...(editorFile !== undefined && { editorFile }) }))
    if ('choices' in plan) return { ...emptyImport, choices: [...plan.choices] }
    const isSaved = !isDryRun && !plan.isGone && (plan.drift === null || update)
    if (isSaved) await mapModelErrors(mapRoutingErrors(importer.save(plan, audit)))
    return { ...importView(plan), saved: isSaved, tests: isSaved ? await runTests(plan) : [] }
  })

  async function runTests(plan: ImportPlan): Promise<AdminModelImport['tests']> {
    const names = new Set(plan.routes.map(({ name }) => name))
    const results = await testRoutes(
      routing.routes.filter(({ name }) => names.has(name)),
      routes,
    )
    return results.map(({ route, outcome, message }) => ({ route, outcome, message }))
  }

  add('GET', '/model-packs', async () => {
    const packs = listPacks().map(({ name, driver, object, title, description }): AdminModelPack => ({
      object: 'model_pack',
      name,
      driver,
      makes: object,
      title,
      description,
    }))
    return listOf(packs, null)
  })
}

const emptyImport: AdminModelImport = {
  object: 'model_import',
  saved: false,
  model: null,
  routes: [],
  notes: [],
  prices: [],
  price_hint: null,
  drift: null,
  tests: [],
  choices: [],
}

function importView({ document, routes, notes, prices, priceHint, drift }: ImportPlan): AdminModelImport {
  return {
    ...emptyImport,
    model: { ...document },
    routes: routes.map(({ name, definition }) => ({ name, route: { ...definition } })),
    notes: [...notes],
    prices: prices.map(({ parameters, credits }) => ({ parameters: { ...parameters }, credits })),
    price_hint: priceHint,
    drift: drift === null ? null : [...drift],
  }
}

async function mapImportErrors<Result>(operation: Promise<Result>): Promise<Result> {
  try {
    return await operation
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    throw validationError([{ pointer: '/sources', code: 'invalid_parameter', message: error.message }])
  }
}
