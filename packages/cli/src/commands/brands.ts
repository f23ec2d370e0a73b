import { Option, type Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { listAndShow, requestAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { limitParser, orNull, noChangeFailure, type Limit } from '../operation/limits.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { readLogo } from '../operation/read-logo.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts, table } from '../terminal/table.ts'

interface Brand {
  id: string
  name: string
  is_default: boolean
  hosts: string[]
  result_origin: string | null
  color: string | null
  logo: string | null
  models: { id: string; visibility: string | null; title: string | null }[]
  other_models: 'catalogue' | 'hidden'
  prompt_retention_days: number | null
}

interface AppearanceOptions {
  color?: string
  logo?: string
}

interface UpdateOptions extends JsonOptions, AppearanceOptions {
  name?: string
  host?: string[]
  resultOrigin?: string
  otherModels?: Brand['other_models']
  tasksInFlight?: Limit
  creditsInFlight?: Limit
  promptRetentionDays?: Limit
}

const path = '/admin/v1/brands'
const colorMeaning = "color of the brand's docs page and watermark, such as `#1a7f64`"
const logoMeaning = "image of at most 512 KiB for the brand's docs page and watermark"

export function addBrandsCommand(program: Command, setExitCode: (code: number) => void): void {
  const brands = program
    .command('brands')
    .summary('create brands and set their hosts and limits')
    .description('For the operator: create brands and set their hosts and limits. `framegate models set` chooses their models.')
    .helpCommand(false)
  addExamples(
    brands,
    ['framegate brands create "Northern Lights" --host video.example.com', 'framegate brands list'],
    operatorNotes,
  )

  const create = brands
    .command('create')
    .description('Create a brand, or show the existing brand with this name.')
    .argument('<name>', 'display name')
    .addOption(new Option('--host <name>', 'host name of the brand; may be given several times').argParser(collectHost))
    .option('--color <color>', colorMeaning)
    .option('--logo <file>', logoMeaning)
  addConnectionOptions(create)
    .option('--json', 'print the brand as JSON')
    .action(async (name: string, { host, color, logo, ...options }: JsonOptions & AppearanceOptions & { host?: string[] }) => {
      const body = { name, ...(host !== undefined && { hosts: host }), ...appearanceOf({ color, logo }) }
      setExitCode(await requestAndShow(options, { method: 'POST', path, body }, describe))
    })
  addExamples(
    create,
    [
      'framegate brands create "Northern Lights" --host video.example.com --host video.example.org',
      `framegate brands create "Southern Cross" --host films.example.org --color '#1a7f64' --logo logo.png`,
    ],
    operatorNotes,
  )

  const list = brands.command('list').description('Show all brands with their hosts.')
  addConnectionOptions(list)
    .option('--json', 'print a list of brands as JSON')
    .action(async (options: JsonOptions) => setExitCode(await listBrands(options)))
  addExamples(list, ['framegate brands list', `framegate brands list --json | jq -r '.items[].id'`], operatorNotes)

  const get = brands.command('get').description('Show a brand.').argument('<id>', 'a brand id')
  addConnectionOptions(get)
    .option('--json', 'print the brand as JSON')
    .action(async (id: string, options: JsonOptions) =>
      setExitCode(await requestAndShow(options, { method: 'GET', path: pathOf(id) }, describe)),
    )
  addExamples(get, ['framegate brands get brand_default'], operatorNotes)

  const update = brands
    .command('update')
    .description('Change the name, appearance, hosts, result links or limits of a brand. Omitted options stay unchanged.')
    .argument('<id>', 'a brand id')
    .option('--name <name>', 'display name')
    .addOption(
      new Option('--host <name>', 'host name of the brand, may be given several times; replaces the previous hosts').argParser(
        collectHost,
      ),
    )
    .option('--color <color>', `${colorMeaning}, or \`none\``)
    .option('--logo <file>', `${logoMeaning}, or \`none\``)
    .option(
      '--result-origin <origin>',
      'origin of its result links, such as https://media.example.com, or `none` for the origin of the installation',
    )
    .addOption(
      new Option(
        '--other-models <what>',
        'visibility of models that the brand has no setting for: as in the catalogue, or hidden',
      ).choices(['catalogue', 'hidden']),
    )
    .option(
      '--tasks-in-flight <number>',
      'maximum number of queued and processing tasks over all accounts of the brand, or `none` for no limit',
      limitParser('tasks'),
    )
    .option(
      '--credits-in-flight <credits>',
      'maximum number of credits held by queued and processing tasks of the brand, or `none` for no limit',
      limitParser('credits'),
    )
  update.option(
    '--prompt-retention-days <days>',
    'days to keep prompts after their tasks end; `none`: as long as the results',
    limitParser('days'),
  )
  addConnectionOptions(update)
    .option('--json', 'print the brand as JSON')
    .action(async (id: string, options: UpdateOptions) => setExitCode(await updateBrand(id, options)))
  addExamples(update, ['framegate brands update brand_default --result-origin https://media.example.com'], operatorNotes)

  const defaultCommand = brands
    .command('default')
    .description('Make a brand the default. It then serves every host that belongs to no other brand.')
    .argument('<id>', 'a brand id')
  addConnectionOptions(defaultCommand)
    .option('--json', 'print the brand as JSON')
    .action(async (id: string, options: JsonOptions) =>
      setExitCode(await requestAndShow(options, { method: 'POST', path: `${pathOf(id)}/default` }, describe)),
    )
  addExamples(defaultCommand, ['framegate brands default brand_0197c0de...'], operatorNotes)
}

async function listBrands(options: JsonOptions): Promise<number> {
  return listAndShow(
    options,
    async ({ client, call }) => (await client.request<{ items: Brand[] }>({ method: 'GET', path }, call)).items,
    {
      describe(brands) {
        const rows = brands.map(({ id, is_default, hosts, name }) => [id, is_default ? 'yes' : 'no', hosts.join(', '), name])
        return table(
          ['ID', { heading: 'DEFAULT', rank: 1 }, { heading: 'HOSTS', long: 'wrap' }, { heading: 'NAME', long: 'shorten' }],
          rows,
        )
      },
      whenEmpty: 'There are no brands. Create one with framegate brands create NAME.',
    },
  )
}

async function updateBrand(id: string, options: UpdateOptions): Promise<number> {
  const { name, host, color, logo, resultOrigin, otherModels, tasksInFlight, creditsInFlight, promptRetentionDays, ...rest } =
    options
  const change = {
    ...(name !== undefined && { name }),
    ...(host !== undefined && { hosts: host }),
    ...appearanceOf({ color, logo }),
    ...(resultOrigin !== undefined && { result_origin: resultOrigin === 'none' ? null : resultOrigin }),
    ...(otherModels !== undefined && { other_models: otherModels }),
    ...(tasksInFlight !== undefined && { tasks_in_flight_max: orNull(tasksInFlight) }),
    ...(creditsInFlight !== undefined && { credits_in_flight_max: orNull(creditsInFlight) }),
    ...(promptRetentionDays !== undefined && { prompt_retention_days: orNull(promptRetentionDays) }),
  }
  if (Object.keys(change).length === 0) throw noChangeFailure()
  return requestAndShow(rest, { method: 'PATCH', path: pathOf(id), body: change }, describe)
}

function appearanceOf({ color, logo }: { color: string | undefined; logo: string | undefined }): object {
  return {
    ...(color !== undefined && { color: color === 'none' ? null : color }),
    ...(logo !== undefined && { logo: logo === 'none' ? null : readLogoDataUri(logo) }),
  }
}

function readLogoDataUri(path: string): string {
  const logo = readLogo(path)
  if ('error' in logo) throw new CommandFailure(exitCodes.usage, `${path} ${logo.error}.`)
  return logo.dataUri
}

function describe(brand: Brand): string {
  const { id, name, is_default, hosts, result_origin, color, logo, models, other_models, prompt_retention_days } = brand
  return facts([
    ['id', id],
    ['name', name],
    ['default', is_default ? 'yes' : 'no'],
    ['hosts', hosts.length === 0 ? 'none' : hosts.join(', ')],
    ['color', color ?? 'none'],
    ['logo', logo ?? 'none'],
    ['result links', result_origin ?? 'as the installation'],
    ...models.map((model) => [`model ${model.id}`, [model.visibility, model.title].filter(Boolean).join(', ')] as const),
    ['other models', other_models === 'hidden' ? 'hidden' : 'as in the catalogue'],
    ['prompts kept', prompt_retention_days === null ? 'as results' : `${prompt_retention_days} days`],
  ])
}

function pathOf(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}

function collectHost(value: string, previousHosts: string[] | undefined): string[] {
  return [...(previousHosts ?? []), value]
}
