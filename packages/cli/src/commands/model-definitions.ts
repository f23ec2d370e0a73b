import { isDeepStrictEqual } from 'node:util'
import { modelChangeBody, type AdminModelDefinition } from '@framegate/contract'
import { FramegateError, type Model } from '@framegate/sdk'
import type { Command } from 'commander'
import { stringify } from 'yaml'
import { CommandFailure } from '../command-failure.ts'
import { callServer, type ServerSession } from '../connection/call-server.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { requestAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { everyPage } from '../operation/every-page.ts'
import { namedJson } from '../operation/named-values.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { readDefinitionFile, readDefinitions, type DefinitionFile } from '../operation/read-definitions.ts'
import { addExamples } from '../terminal/examples.ts'
import { modelPage, priceText } from '../terminal/model-page.ts'
import { facts } from '../terminal/table.ts'
import { explain, writeJson, writeJsonList, writeLine } from '../terminal/write.ts'

interface UpdateOptions extends JsonOptions {
  set?: Record<string, unknown>
  file?: string
}

const path = '/admin/v1/models'
const optionalFields = Object.keys(modelChangeBody.properties).filter((name) => name !== 'object')

/** Adds the commands for models that operators define, below `framegate models`. */
export function addModelDefinitionCommands(models: Command, setExitCode: (code: number) => void): void {
  const create = models
    .command('create')
    .description(
      'For the operator: define models. A definition takes effect immediately. Clients see the model if it has a price.',
    )
    .argument('<file>', 'YAML or JSON file with one model, a list of models, or a list under `models`; `-` reads stdin')
  addConnectionOptions(create)
    .option('--json', 'print the models as JSON')
    .action(async (file: string, options: JsonOptions) => setExitCode(await createModels(file, options)))
  addExamples(create, ['framegate models create flux.yaml', 'framegate models create - < models.json'], operatorNotes)

  const preview = models
    .command('preview')
    .description('For the operator: validate a definition and show the model as clients would see it. Nothing is saved.')
    .argument('<file>', 'YAML or JSON file with one model; `-` reads stdin')
  addConnectionOptions(preview)
    .option('--json', "print the API's model object as JSON")
    .action(async (file: string, options: JsonOptions) => setExitCode(await previewModel(file, options)))
  addExamples(preview, ['framegate models preview flux.yaml'], operatorNotes)

  const update = models
    .command('update')
    .description(
      'For the operator: change fields of a definition, or replace it. Tasks that were already accepted keep the earlier definition.',
    )
    .argument('<id>', 'ID of a model that was defined with `framegate models create` or over the API')
    .option(
      '--set <field=json>',
      'new value of a field of the definition, or `null` to remove the field; may be given several times',
      namedJson,
    )
    .option('--file <path>', 'replace the definition with the one in this file')
  addConnectionOptions(update)
    .option('--json', 'print the model as JSON')
    .action(async (id: string, options: UpdateOptions) => setExitCode(await updateModel(id, options)))
  addExamples(
    update,
    [
      `framegate models update flux-2-pro --set 'price={"per_image": 0.06}'`,
      'framegate models update flux-2-pro --file flux.yaml',
    ],
    operatorNotes,
  )

  const remove = models
    .command('delete')
    .description(
      'For the operator: delete a model. Tasks that were already accepted continue. The command fails while a route names the model.',
    )
    .argument('<id>', 'ID of a model that was defined with `framegate models create` or over the API')
  addConnectionOptions(remove)
    .option('--json', 'print the deleted model as JSON')
    .action(async (id: string, options: JsonOptions) =>
      setExitCode(await requestAndShow(options, { method: 'DELETE', path: pathOf(id) }, () => `${id} deleted`)),
    )
  addExamples(remove, ['framegate models delete flux-2-pro'], operatorNotes)

  const exportCommand = models
    .command('export')
    .description('For the operator: print definitions as YAML, in the format of `framegate.yaml` and of the files in `models/`.')
    .argument('[id...]', 'Model IDs (default: every model that operators have defined)')
  addConnectionOptions(exportCommand)
    .option('--json', 'print a list of the models with their state as JSON')
    .action(async (ids: string[], options: JsonOptions) => setExitCode(await exportModels(ids, options)))
  addExamples(
    exportCommand,
    ['framegate models export > models.yaml', 'framegate models export flux-2-pro --json'],
    operatorNotes,
  )
}

async function previewModel(file: string, options: JsonOptions): Promise<number> {
  const [body = {}] = await readDefinitions(file, 1)
  return requestAndShow<Model>(options, { method: 'POST', path: `${path}/preview`, body }, modelPage)
}

async function createModels(file: string, options: JsonOptions): Promise<number> {
  const source = await readDefinitionFile(file)
  const { definitions } = source
  return callServer(options, 'require server', async (session) => {
    const createdModels: AdminModelDefinition[] = []
    const refusals: string[] = []
    let exitCode: number = exitCodes.usage
    for (const [index, body] of definitions.entries()) {
      try {
        const model = await createModel(session, body)
        createdModels.push(model)
        if (!options.json) writeLine(describe(model))
      } catch (error) {
        if (!(error instanceof FramegateError) || (error.status !== 400 && error.status !== 409)) throw error
        if (error.status === 409) exitCode = exitCodes.failed
        refusals.push(...describeRefusal(source, index, error))
        if (refusals.length >= refusalsMax) break
      }
    }
    if (options.json) writeJsonList(createdModels)
    if (refusals.length === 0) return exitCodes.ok
    const summary = `${createdModels.length} of ${definitions.length} models of the file are defined.`
    throw new CommandFailure(exitCode, [...refusals, ...(definitions.length > 1 ? [summary] : [])].join('\n'))
  })
}

/** Number of errors after which the command stops sending models. */
const refusalsMax = 100

/** Describes the errors of one definition, each with its file and line. */
function describeRefusal({ name, lineOf }: DefinitionFile, index: number, { errors, message }: FramegateError): string[] {
  const violations = errors.length > 0 ? errors : [{ pointer: '/id', message }]
  return violations.map(({ pointer, message: sentence }) => `${name}, line ${lineOf(index, pointer)}: ${sentence}`)
}

/**
 * Creates a model. If a model with the same definition already exists, returns that model, so that
 * an interrupted command can be repeated.
 */
async function createModel({ client, call }: ServerSession, body: Record<string, unknown>): Promise<AdminModelDefinition> {
  try {
    return await client.request<AdminModelDefinition>({ method: 'POST', path, body }, call)
  } catch (error) {
    if (!(error instanceof FramegateError) || error.status !== 409) throw error
    const storedDefinition = client.request<AdminModelDefinition>({ method: 'GET', path: pathOf(String(body['id'])) }, call)
    const model = await storedDefinition.catch(() => undefined)
    if (model !== undefined && model.source === 'api' && isDeepStrictEqual(model.definition, body)) return model
    throw error
  }
}

async function updateModel(id: string, { set = {}, file, ...options }: UpdateOptions): Promise<number> {
  const body = file === undefined ? set : { ...(await readReplacement(file)), ...set }
  return requestAndShow(options, { method: 'PATCH', path: pathOf(id), body }, describe)
}

/**
 * Returns the body of an update that replaces the definition. Fields that the file omits are null,
 * which removes them. The ID is in the path of the request, not in the body.
 */
async function readReplacement(file: string): Promise<object> {
  const [{ id: _id, ...definition } = {}] = await readDefinitions(file, 1)
  return { ...Object.fromEntries(optionalFields.map((name) => [name, null])), ...definition }
}

async function exportModels(ids: readonly string[], options: JsonOptions): Promise<number> {
  return callServer(options, 'require server', async (session) => {
    const { client, call } = session
    const models =
      ids.length === 0
        ? await everyPage<AdminModelDefinition>(session, path)
        : await Promise.all(ids.map((id) => client.request<AdminModelDefinition>({ method: 'GET', path: pathOf(id) }, call)))
    if (options.json) writeJson({ object: 'list', items: models, has_more: false, next_cursor: null })
    else if (models.length === 0) explain('Operators have defined no models. Define one with framegate models create FILE.')
    else writeLine(stringify({ models: models.map(({ definition }) => definition) }, { lineWidth: 100 }).trimEnd())
    return exitCodes.ok
  })
}

function describe({ id, definition, source, place, price, version, fault }: AdminModelDefinition): string {
  return facts([
    ['Model ID', id],
    ['Type', String(definition['object'])],
    ['Credits', price === null ? 'none yet, so clients cannot use the model' : priceText(price)],
    ['Defined in', source === 'api' ? 'the database' : place],
    ['Version', version === null ? null : String(version)],
    ['Fault', fault],
  ])
}

function pathOf(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}
