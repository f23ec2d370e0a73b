import { Option, type Command } from 'commander'
import type { Model } from '@framegate/sdk'
import { askServer } from '../connection/ask-server.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { addExamples } from '../terminal/examples.ts'
import { modelPage, priceText } from '../terminal/model-page.ts'
import { table } from '../terminal/table.ts'
import { writeJson, writeLine } from '../terminal/write.ts'

interface ListOptions extends ConnectionOptions {
  object?: 'image' | 'video'
  json?: true
}

interface ShowOptions extends ConnectionOptions {
  json?: true
}

const pageSize = 100

export function addModelsCommand(program: Command, setExitCode: (code: number) => void): void {
  const models = program
    .command('models')
    .summary('show the models and what each one takes')
    .description('Show the models of the catalogue, their prices, and what each one takes.')
    .helpCommand(false)
  addExamples(models, ['framegate models list --object image', 'framegate models show vidDq3-turbo'], notes)

  const list = models
    .command('list')
    .description('Show every model with what it makes and costs.')
    .addOption(new Option('--object <kind>', 'only models that make this').choices(['image', 'video']))
  addConnectionOptions(list)
    .option('--json', 'print an array of models, as the server describes them')
    .action(async (options: ListOptions) => setExitCode(await listModels(options)))
  addExamples(list, ['framegate models list', `framegate models list --json | jq -r '.[].id'`], notes)

  const show = models
    .command('show')
    .description('Show what a model takes: each parameter with its type, default and allowed values.')
    .argument('<id>', 'Model ID, as framegate models list shows it')
  addConnectionOptions(show)
    .option('--json', 'print the model as the server describes it, with the JSON Schema of a request')
    .action(async (id: string, options: ShowOptions) => setExitCode(await showModel(id, options)))
  addExamples(show, ['framegate models show vidDq3-turbo', 'framegate models show "vidK O3 Video Generation" --json'], notes)
}

const notes = 'When no server is named and none answers at the usual address, one is started for this command alone.'

async function listModels({ object, ...options }: ListOptions): Promise<number> {
  return askServer(options, 'start one', async ({ client, call }) => {
    const models: Model[] = []
    for await (const model of await client.models.list({ ...call, object, limit: pageSize })) models.push(model)
    if (options.json) writeJson(models)
    else {
      const rows = models.map((model) => [
        model.id,
        model.type,
        model.available ? 'yes' : 'no',
        priceText(model.price),
        model.display_name,
      ])
      writeLine(table(['MODEL ID', 'MAKES', 'AVAILABLE', 'CREDITS', 'NAME'], rows))
    }
    return exitCodes.ok
  })
}

async function showModel(id: string, options: ShowOptions): Promise<number> {
  return askServer(options, 'start one', async ({ client, call }) => {
    const model = await client.models.get(id, call)
    if (options.json) writeJson(model)
    else writeLine(modelPage(model))
    return exitCodes.ok
  })
}
