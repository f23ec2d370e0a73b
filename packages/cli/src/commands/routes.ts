import { readFileSync } from 'node:fs'
import type { AdminRoute, List, RouteTest } from '@framegate/contract'
import type { Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { listAndShow, requestAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { namedNumber, namedValue, parseNumber } from '../operation/named-values.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { sourceText, stateText } from '../operation/routing-state.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts, table, type Column } from '../terminal/table.ts'
import { explain, writeJson, writeLine } from '../terminal/write.ts'
import { addExplainCommand } from './explain-routes.ts'

interface SetOptions extends JsonOptions {
  model: string
  upstream: string
  upstreamModel?: string
  priority?: number
  weight?: number
  inFlight?: number
  deferMax?: number
  deadline?: number
  cost?: Record<string, number>
  parameter?: Record<string, string>
  extra?: string
  workflow?: string
  slot?: Record<string, string>
  input?: string
  systemPrompt?: string
}

const path = '/admin/v1/routes'
const columns: (string | Column)[] = [
  'NAME',
  'MODEL ID',
  { heading: 'UPSTREAM', long: 'shorten' },
  { heading: 'PRIORITY', rank: 3 },
  { heading: 'WEIGHT', rank: 2 },
  { heading: 'IN FLIGHT', rank: 4 },
  { heading: 'COST', long: 'wrap', rank: 5 },
  { heading: 'STATE', long: 'wrap' },
  { heading: 'FROM', rank: 1 },
]

export function addRoutesCommand(program: Command, setExitCode: (code: number) => void): void {
  const routes = program
    .command('routes')
    .summary('set, test, explain and list routes')
    .description(
      'For the operator: set routes in addition to those in `framegate.yaml`, test their upstreams, and show their state.',
    )
    .helpCommand(false)
  addExamples(
    routes,
    ['framegate routes list', 'framegate routes test'],
    `\`docs/routes.md\` describes how a task is assigned to a route. ${operatorNotes}`,
  )

  const list = routes.command('list').description('Show all routes and their states.')
  addConnectionOptions(list)
    .option('--json', 'print a list of routes as JSON')
    .action(async (options: JsonOptions) => setExitCode(await listRoutes(options)))
  addExamples(list, ['framegate routes list', `framegate routes list --json | jq -r '.items[].model'`], operatorNotes)

  const test = routes
    .command('test')
    .description(
      'Test each upstream with a free request, if its provider has one. A route that is out of service returns to service if its ' +
        'test succeeds. The exit code is 1 if a test fails.',
    )
    .argument('[model]', 'only the routes that serve this Model ID')
  addConnectionOptions(test)
    .option('--json', 'print the results as JSON')
    .action(async (model: string | undefined, options: JsonOptions) => setExitCode(await testRoutes(model, options)))
  addExamples(test, ['framegate routes test', 'framegate routes test "vidK O3 Video Generation"'], operatorNotes)

  addExplainCommand(routes, setExitCode)

  const set = routes
    .command('set')
    .description('Create a route, or replace all of its fields.')
    .argument('<name>', 'name of the route, shown in timelines: letters, digits, `-` and `_`')
    .requiredOption('--model <id>', 'a Model ID, or `*` for every image and video model without a route of its own')
    .requiredOption('--upstream <name>', 'upstream of the route, or `embedded`')
    .option('--upstream-model <name>', "the upstream's name for the model")
    .option('--priority <number>', 'routes with a lower number are tried first (default: 0)', parseNumber)
    .option('--weight <number>', 'share of tasks relative to other routes with the same priority (default: 1)', parseNumber)
    .option('--in-flight <number>', 'maximum number of concurrent attempts (default: the limit of the upstream)', parseNumber)
    .option(
      '--defer-max <seconds>',
      'seconds for which this route may be busy before a route with a higher priority number is used (default: 30)',
      parseNumber,
    )
    .option(
      '--deadline <seconds>',
      'maximum duration of an attempt, in seconds (default: the deadline of the model)',
      parseNumber,
    )
    .option(
      '--cost <unit=amount>',
      'cost in credits: `per_second`, `per_image`, `per_task`, `per_million_input_tokens`, `per_million_cached_input_tokens` or ' +
        '`per_million_output_tokens`; `per_unit`: credits per unit of the cost that the upstream reports; may be given several times',
      namedNumber,
    )
    .option('--parameter <name=field>', "the upstream's field for a parameter; may be given several times", namedValue)
    .option('--extra <json>', 'JSON object whose fields are added to each request that starts a job')
    .option('--workflow <file>', 'for the `comfyui` driver: the workflow in API format')
    .option(
      '--slot <parameter=node.input>',
      'for the `comfyui` driver: the workflow input that receives a parameter; may be given several times',
      namedValue,
    )
    .option(
      '--input <json>',
      "full input mapping of the upstream's model, keyed by parameter; replaces the driver's built-in mapping",
    )
    .option('--system-prompt <file>', 'for text models: a file with the system prompt of the language model')
  addConnectionOptions(set)
    .option('--json', 'print the route as JSON')
    .action(async (name: string, options: SetOptions) => setExitCode(await setRoute(name, options)))
  addExamples(
    set,
    [
      'framegate routes set kling --model "vidK O3 Video Generation" --upstream fal-main --upstream-model fal-ai/kling-video/o3/pro/text-to-video --cost per_second=0.1',
    ],
    operatorNotes,
  )

  const remove = routes
    .command('remove')
    .description('Remove a route. Running attempts continue.')
    .argument('<name>', 'name of a route that was set with `framegate routes set` or over the API')
  addConnectionOptions(remove)
    .option('--json', 'print the removed route as JSON')
    .action(async (name: string, options: JsonOptions) =>
      setExitCode(await requestAndShow(options, { method: 'DELETE', path: pathOf(name) }, () => `${name} removed`)),
    )
  addExamples(remove, ['framegate routes remove kling'], operatorNotes)
}

async function listRoutes(options: JsonOptions): Promise<number> {
  return listAndShow(
    options,
    async ({ client, call }) => (await client.request<List<AdminRoute>>({ method: 'GET', path }, call)).items,
    {
      describe(routes) {
        const rows = routes.map((route) => [
          route.name,
          route.model,
          upstreamText(route),
          String(route.priority),
          String(route.weight),
          String(route.in_flight),
          costText(route) ?? 'unknown',
          stateText(route),
          sourceText(route),
        ])
        return table(columns, rows)
      },
      whenEmpty: null,
    },
  )
}

async function testRoutes(model: string | undefined, { json, ...options }: JsonOptions): Promise<number> {
  return callServer(options, 'require server', async ({ client, call }) => {
    const body = model === undefined ? {} : { model }
    const testResult = await client.request<RouteTest>({ method: 'POST', path: `${path}/test`, body }, call)
    if (json) writeJson(testResult)
    else if (testResult.results.length === 0) explain(nothingTestedText(model))
    else {
      const rows = testResult.results.map(({ route, model: id, upstream, outcome, message }) => [
        route,
        id,
        upstream,
        message === null ? outcome.replaceAll('_', ' ') : `${outcome.replaceAll('_', ' ')}: ${message}`,
      ])
      writeLine(
        table(['ROUTE', { heading: 'MODEL ID', long: 'shorten' }, 'UPSTREAM', { heading: 'OUTCOME', long: 'wrap' }], rows),
      )
    }
    return testResult.failed === 0 ? exitCodes.ok : exitCodes.failed
  })
}

/** Message of `framegate routes test` if no route is set for the model, or for any model. */
function nothingTestedText(model: string | undefined): string {
  const reason = model === undefined ? 'No route is set' : `No route is set for ${model}`
  const explainCommand = model === undefined ? 'framegate routes explain MODEL' : `framegate routes explain "${model}"`
  return (
    `${reason}, so there is no provider to test. framegate doctor tests the embedded driver. ` +
    `${explainCommand} shows whether that driver serves a task. Set a route to a provider with framegate routes set.`
  )
}

async function setRoute(name: string, options: SetOptions): Promise<number> {
  const {
    model,
    upstream,
    upstreamModel,
    priority,
    weight,
    inFlight,
    deferMax,
    deadline,
    cost,
    parameter,
    extra,
    workflow,
    slot,
    input,
    systemPrompt,
    ...rest
  } = options
  const body = {
    model,
    upstream,
    ...(upstreamModel !== undefined && { upstream_model: upstreamModel }),
    ...(priority !== undefined && { priority }),
    ...(weight !== undefined && { weight }),
    ...(inFlight !== undefined && { in_flight_max: inFlight }),
    ...(deferMax !== undefined && { defer_max: deferMax }),
    ...(deadline !== undefined && { deadline }),
    ...(cost !== undefined && { cost }),
    ...(parameter !== undefined && { parameters: parameter }),
    ...(extra !== undefined && { extra: parseJson(extra, '--extra') }),
    ...(workflow !== undefined && { workflow: parseJson(readInputFile(workflow), workflow) }),
    ...(slot !== undefined && { slots: slot }),
    ...(input !== undefined && { input: parseJson(input, '--input') }),
    ...(systemPrompt !== undefined && { system_prompt: readInputFile(systemPrompt).trim() }),
  }
  return requestAndShow(rest, { method: 'PUT', path: pathOf(name), body }, describe)
}

function readInputFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new CommandFailure(exitCodes.usage, `${file} cannot be read (${code}).`, { cause })
  }
}

function parseJson(json: string, source: string): unknown {
  try {
    return JSON.parse(json.replace(/^\ufeff/, ''))
  } catch (cause) {
    throw new CommandFailure(exitCodes.usage, `${source} must be JSON: ${(cause as Error).message}.`, { cause })
  }
}

function describe(route: AdminRoute): string {
  return facts([
    ['name', route.name],
    ['model', route.model],
    ['upstream', upstreamText(route)],
    ['priority', String(route.priority)],
    ['weight', String(route.weight)],
    ['in flight', route.in_flight_max === null ? 'as many as its upstream' : `at most ${route.in_flight_max}`],
    ['cost', costText(route) ?? 'unknown'],
    ['state', stateText(route)],
    ['fault', route.fault],
  ])
}

/** Cost of a job in credits, such as `0.1 per second`. Null: unknown. */
function costText({ cost }: AdminRoute): string | null {
  if (cost === null) return null
  const amounts = Object.entries(cost).filter(([, amount]) => amount !== 0)
  return amounts.length === 0 ? '0' : amounts.map(([unit, amount]) => `${amount} ${unit.replaceAll('_', ' ')}`).join(', ')
}

function upstreamText({ upstream, upstream_model }: AdminRoute): string {
  return upstream_model === null ? upstream : `${upstream}: ${upstream_model}`
}

function pathOf(name: string): string {
  return `${path}/${encodeURIComponent(name)}`
}
