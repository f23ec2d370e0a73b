import type { AdminModelImport, AdminModelPack, List } from '@framegate/contract'
import { Option, type Command } from 'commander'
import { stringify } from 'yaml'
import { confirm } from '../terminal/confirm.ts'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { listAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { importPrice } from '../operation/import-price.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { readDefinitions } from '../operation/read-definitions.ts'
import { addExamples } from '../terminal/examples.ts'
import { table } from '../terminal/table.ts'
import { explain, writeJson, writeLine } from '../terminal/write.ts'
import { areSeveralPacks, importPacks } from './import-packs.ts'
import { describeImport, hasFailedTest, sendImport, type ImportOptions } from './send-import.ts'

/** Adds `framegate models import` and `framegate models packs`. */
export function addImportCommands(models: Command, setExitCode: (code: number) => void): void {
  const command = models
    .command('import')
    .description(
      'For the operator: import a model of a provider. The service reads the schema that the provider publishes. The command shows ' +
        'the resulting definition, routes and prices, and the fields that it could not map, and asks for confirmation before it ' +
        'creates them. Several endpoints of one family are combined into one model. Each pack becomes a model of its own.',
    )
    .argument(
      '<source...>',
      'fal:ENDPOINT, replicate:OWNER/NAME[:VERSION], comfyui:FLOW.json, openai:UPSTREAM[:MODEL], openrouter:MODEL, file:PATH_OR_URL or ' +
        'pack:NAME',
    )
    .option('--as <id>', 'the Model ID (default: derived from the source)')
    .option(
      '--upstream <name>',
      'upstream that will serve the model (default: the upstream with the required driver, if there is only one)',
    )
    .addOption(
      new Option('--object <kind>', 'result type, if the source does not specify it').choices(['image', 'video', 'chat']),
    )
    .option(
      '--price <unit=credits>',
      'price of the model: `per_image`, `per_second` or `per_task`; `per_second:1080p` for one resolution; `per_million_tokens:input` for tokens; may be given several times',
      importPrice,
    )
    .option(
      '--editor-file <file>',
      'for ComfyUI: the workflow file as saved by the editor; the inputs of its App Mode become parameters',
    )
    .option('--update', 'apply changes of the source to a model that was imported earlier')
    .option('--dry-run', 'show the import without creating anything')
    .option('--yes', 'create the model without asking')
  addConnectionOptions(command)
    .option('--json', 'print the import as JSON, with the definition and the routes')
    .action(async (sources: string[], options: ImportOptions) => setExitCode(await importModel(sources, options)))
  addExamples(
    command,
    [
      'framegate models import fal:fal-ai/vidu/q3/image-to-video --as vidu-animate --price per_second=0.1 --yes',
      'framegate models import replicate:google/veo-3.1 --as veo --price per_second=0.4 --dry-run',
      'framegate models import comfyui:wan.json --upstream gpu --price per_second=0.05 --yes',
      'framegate models import pack:kling-3.0-pro --price per_second=0.1 --yes',
      'framegate models import pack:kling-3.0-pro pack:kling-o3-pro --price per_second=0.1 --yes',
    ],
    operatorNotes,
  )

  const packs = models
    .command('packs')
    .description(
      'For the operator: list the packs. A pack is a predefined model definition, which `framegate models import pack:NAME` imports.',
    )
  addConnectionOptions(packs)
    .option('--json', 'print a list of packs as JSON')
    .action(async (options: JsonOptions) => setExitCode(await listPacks(options)))
  addExamples(packs, ['framegate models packs', `framegate models packs --json | jq -r '.items[].name'`], operatorNotes)
}

async function importModel(sources: readonly string[], options: ImportOptions): Promise<number> {
  if (areSeveralPacks(sources)) return importPacks(sources, options)
  const { json, dryRun = false, yes = false, update = false, ...rest } = options
  const body = await readImportBody(sources, options)
  return callServer(rest, 'require server', async (session) => {
    const plan = await sendImport(session, { ...body, dry_run: true })
    const isUnchanged = plan.drift !== null && (!update || plan.drift.length === 0)
    if (isSourceGone(plan)) return reportGoneSource(plan, json)
    if (plan.model === null || dryRun || isUnchanged) return show(plan, json, update)
    if (!json) writeLine(describe(plan, update))
    if (
      !yes &&
      !(await confirm(plan.drift === null ? 'Write this model and its routes?' : 'Apply these changes?', session.call.signal))
    ) {
      explain('Nothing was changed.')
      return exitCodes.failed
    }
    const importResult = await sendImport(session, { ...body, update })
    if (json) writeJson(importResult)
    else writeLine(describeImport(importResult))
    return hasFailedTest(importResult) ? exitCodes.failed : exitCodes.ok
  })
}

/**
 * Returns the body of an import request. A source that is a local file is replaced with its
 * contents. The service fetches a source that is a URL.
 */
async function readImportBody(
  sources: readonly string[],
  { as: id, upstream, object, price, editorFile }: ImportOptions,
): Promise<object> {
  const [firstSource = ''] = sources
  const file = /^(comfyui|file):(?!https?:\/\/)(.+)$/s.exec(firstSource)
  const [contents] = file?.[2] === undefined ? [] : await readDefinitions(file[2], 1)
  return {
    sources,
    ...(id !== undefined && { id }),
    ...(upstream !== undefined && { upstream }),
    ...(object !== undefined && { object }),
    ...(price !== undefined && { price }),
    ...(contents !== undefined && { [file?.[1] === 'comfyui' ? 'workflow' : 'document']: contents }),
    ...(editorFile !== undefined && { editor_file: (await readDefinitions(editorFile, 1))[0] }),
  }
}

function show(plan: AdminModelImport, json: true | undefined, isUpdate: boolean): number {
  if (json) writeJson(plan)
  else if (plan.model === null) {
    writeLine(plan.choices.join('\n'))
    explain('Import one of them with framegate models import openai:UPSTREAM:MODEL.')
  } else writeLine(describe(plan, isUpdate))
  return exitCodes.ok
}

/** Whether the provider has removed the source of the model. */
function isSourceGone({ drift }: AdminModelImport): boolean {
  return drift?.some(({ kind }) => kind === 'gone') === true
}

function reportGoneSource(plan: AdminModelImport, json: true | undefined): number {
  const id = String(plan.model?.['id'])
  if (json) writeJson(plan)
  else writeLine((plan.drift ?? []).map(({ message }) => message).join('\n'))
  explain(`The model ${id} was not changed. If its tasks fail, delete it: framegate models delete ${JSON.stringify(id)}`)
  return exitCodes.failed
}

function describe({ model, routes, prices, price_hint: hint, notes, drift }: AdminModelImport, isUpdate: boolean): string {
  const importedConfiguration = {
    models: [model],
    ...(routes.length > 0 && { routes: routes.map(({ name, route }) => ({ name, ...route })) }),
  }
  const parts = [stringify(importedConfiguration, { lineWidth: 100 }).trimEnd()]
  const priceRows = prices.map(({ parameters, credits }) => [
    credits === null ? 'none yet' : String(credits),
    Object.entries(parameters)
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' ')
      .slice(0, 120),
  ])
  if (priceRows.length > 0) parts.push(table(['CREDITS', { heading: 'EXAMPLE', long: 'shorten' }], priceRows))
  if (hint !== null) parts.push(`The provider's note on its price: ${hint}`)
  if (prices.some(({ credits }) => credits === null))
    parts.push('A model without a price is not offered to clients. Set the price with --price.')
  if (notes.length > 0)
    parts.push(
      table(
        ['FIELD', { heading: 'NOT OR ONLY PARTLY MAPPED', long: 'wrap' }],
        notes.map(({ field, message }) => [field, message]),
      ),
    )
  if (drift !== null) parts.push(driftText(drift, isUpdate))
  return parts.join('\n\n')
}

function driftText(drift: NonNullable<AdminModelImport['drift']>, isUpdate: boolean): string {
  if (drift.length === 0) return 'The source has not changed since the model was imported.'
  const rows = drift.map(({ field, kind, message }) => [field, kind, message])
  const changes = table(['FIELD', 'CHANGE', { heading: 'SINCE THE IMPORT', long: 'wrap' }], rows)
  return isUpdate ? changes : `${changes}\n\nThe model was not changed. --update applies these changes.`
}

async function listPacks(options: JsonOptions): Promise<number> {
  return listAndShow(
    options,
    async ({ client, call }) =>
      (await client.request<List<AdminModelPack>>({ method: 'GET', path: '/admin/v1/model-packs' }, call)).items,
    {
      describe: (packs) =>
        table(
          ['PACK', 'DRIVER', 'RESULT', { heading: 'DESCRIPTION', long: 'wrap', rank: 1 }],
          packs.map(({ name, driver, makes, title, description }) => [name, driver, makes, `${title}: ${description}`]),
        ),
      whenEmpty: 'There are no packs.',
    },
  )
}
