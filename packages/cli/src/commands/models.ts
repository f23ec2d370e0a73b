import { Option, type Command } from 'commander'
import { modelTypes } from '@framegate/contract'
import type { Model, ModelType } from '@framegate/sdk'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { JsonOptions } from '../operation/call-and-show.ts'
import {
  listBrandModels,
  resetBrandModel,
  setBrandModel,
  showBrandModel,
  type BrandModelOptions,
  type BrandOptions,
} from '../operation/brand-models.ts'
import { addImportCommands } from './import-model.ts'
import { addModelDefinitionCommands } from './model-definitions.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addExamples } from '../terminal/examples.ts'
import { modelPage, priceText } from '../terminal/model-page.ts'
import { table, type Column } from '../terminal/table.ts'
import { explain, writeJson, writeJsonList, writeLine } from '../terminal/write.ts'

interface ListOptions extends JsonOptions {
  object?: ModelType
  brand?: string
}

interface ShowOptions extends JsonOptions {
  brand?: string
}

const pageSize = 100
const columns: (string | Column)[] = [
  'MODEL ID',
  { heading: 'MAKES', rank: 2 },
  'AVAILABLE',
  { heading: 'CREDITS', long: 'wrap' },
  { heading: 'NAME', long: 'shorten', rank: 1 },
]

export function addModelsCommand(program: Command, setExitCode: (code: number) => void): void {
  const models = program
    .command('models')
    .summary('show models and their parameters, define models, and choose the models of a brand')
    .description(
      'Show the models of the catalogue with their prices and parameters. For the operator: define models, and choose the models of a brand.',
    )
    .helpCommand(false)
  addExamples(
    models,
    [
      'framegate models list --object image',
      'framegate models show vidDq3-turbo',
      'framegate models set imgA_5.0Pro --brand brand_default --visibility invocable',
    ],
    notes,
  )

  const list = models
    .command('list')
    .description('Show every model with its result type and price.')
    .addOption(new Option('--object <kind>', 'only models with this result type').choices(modelTypes))
    .addOption(
      new Option('--brand <id>', 'for the operator: all models of this brand, including hidden ones').conflicts('object'),
    )
  addConnectionOptions(list)
    .option('--json', "print the API's list of models as JSON")
    .action(async (options: ListOptions) => setExitCode(await listModels(options)))
  addExamples(
    list,
    [
      'framegate models list',
      `framegate models list --json | jq -r '.items[].id'`,
      'framegate models list --brand brand_default',
    ],
    notes,
  )

  const show = models
    .command('show')
    .description('Show the parameters of a model with their types, defaults and allowed values.')
    .argument('<id>', 'Model ID, as shown by `framegate models list`')
    .option('--brand <id>', 'for the operator: show the visibility and price of the model in this brand')
  addConnectionOptions(show)
    .option('--json', "print the API's model object as JSON, with the JSON Schema of a request")
    .action(async (id: string, options: ShowOptions) => setExitCode(await showModel(id, options)))
  addExamples(show, ['framegate models show vidDq3-turbo', 'framegate models show "vidK O3 Video Generation" --json'], notes)

  const set = models
    .command('set')
    .description('For the operator: set the visibility and title of a model in a brand.')
    .argument('<id>', 'a Model ID')
    .requiredOption('--brand <id>', 'the brand')
    .addOption(
      new Option('--visibility <what>', 'visibility in the brand; `catalogue`: as in the catalogue').choices([
        'hidden',
        'visible',
        'invocable',
        'catalogue',
      ]),
    )
    .option('--title <title>', 'title in the brand, or `none` for the title from the catalogue')
  addConnectionOptions(set)
    .option('--json', 'print the model with its settings in the brand as JSON')
    .action(async (id: string, options: BrandModelOptions) => setExitCode(await setBrandModel(id, options)))
  addExamples(
    set,
    [
      'framegate models set imgA_5.0Pro --brand brand_default --visibility invocable',
      'framegate models set vidDq3-turbo --brand brand_default --title "Aurora"',
    ],
    operatorNotes,
  )

  const reset = models
    .command('reset')
    .description(
      "For the operator: remove a brand's settings for a model. The model then follows the brand's default for other models, or else the catalogue.",
    )
    .argument('<id>', 'a Model ID')
    .requiredOption('--brand <id>', 'the brand')
  addConnectionOptions(reset)
    .option('--json', 'print the model with its settings in the brand as JSON')
    .action(async (id: string, options: BrandOptions) => setExitCode(await resetBrandModel(id, options)))
  addExamples(reset, ['framegate models reset imgA_5.0Pro --brand brand_default'], operatorNotes)

  addModelDefinitionCommands(models, setExitCode)
  addImportCommands(models, setExitCode)
}

const notes = 'If no server is named and none responds at the default address, the command starts a temporary one.'

async function listModels({ object, brand, ...options }: ListOptions): Promise<number> {
  if (brand !== undefined) return listBrandModels({ brand, ...options })
  return callServer(options, 'start server', async ({ client, call }) => {
    const models: Model[] = []
    for await (const model of await client.models.list({ ...call, object, limit: pageSize })) models.push(model)
    if (options.json) writeJsonList(models)
    else if (models.length === 0)
      explain('The brand of the account shows no models. An operator enables them with framegate models set.')
    else {
      const rows = models.map((model) => [
        model.id,
        model.type,
        model.available ? 'yes' : 'no',
        priceText(model.price),
        model.display_name,
      ])
      writeLine(table(columns, rows))
    }
    return exitCodes.ok
  })
}

async function showModel(id: string, { brand, ...options }: ShowOptions): Promise<number> {
  if (brand !== undefined) return showBrandModel(id, { brand, ...options })
  return callServer(options, 'start server', async ({ client, call }) => {
    const model = await client.models.get(id, call)
    if (options.json) writeJson(model)
    else writeLine(modelPage(model))
    return exitCodes.ok
  })
}
