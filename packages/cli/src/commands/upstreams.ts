import type { AdminUpstream, List } from '@framegate/contract'
import { text } from 'node:stream/consumers'
import { Option, type Command } from 'commander'
import { CommandFailure } from '../command-failure.ts'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { listAndShow, requestAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { parseNumber } from '../operation/named-values.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { sourceText, stateText } from '../operation/routing-state.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts, table } from '../terminal/table.ts'

interface SetOptions extends JsonOptions {
  driver: string
  upstreamUrl?: string
  schemaUrl?: string
  apiKeyFromEnv?: string
  apiKeyFromStdin?: true
  removeApiKey?: true
  inFlight?: number
  pollsPerSecond?: number
}

const path = '/admin/v1/upstreams'

export function addUpstreamsCommand(program: Command, setExitCode: (code: number) => void): void {
  const upstreams = program
    .command('upstreams')
    .summary('set and list the providers that routes use')
    .description('For the operator: set providers in addition to those in `framegate.yaml`, and show their state.')
    .helpCommand(false)
  addExamples(upstreams, ['framegate upstreams list'], operatorNotes)

  const list = upstreams.command('list').description('Show all upstreams and their states, without their keys.')
  addConnectionOptions(list)
    .option('--json', 'print a list of upstreams as JSON')
    .action(async (options: JsonOptions) => setExitCode(await listUpstreams(options)))
  addExamples(list, ['framegate upstreams list'], operatorNotes)

  const set = upstreams
    .command('set')
    .description('Create an upstream, or replace all of its fields. Without a key option, the previous key stays.')
    .argument('<name>', 'name of the upstream: letters, digits, `-` and `_`')
    .requiredOption('--driver <name>', 'driver of the provider, such as `fal`; `docs/upstreams.md` lists them')
    .option('--upstream-url <address>', "base URL of the provider (default: the driver's)")
    .option(
      '--schema-url <address>',
      'base URL from which imports fetch model schemas (default: the public schemas of fal or OpenRouter, otherwise the base URL)',
    )
    .option('--api-key-from-env <variable>', 'read the API key from this environment variable')
    .addOption(new Option('--api-key-from-stdin', 'read the API key from stdin').conflicts('apiKeyFromEnv'))
    .addOption(new Option('--remove-api-key', 'remove the stored API key').conflicts(['apiKeyFromEnv', 'apiKeyFromStdin']))
    .option(
      '--in-flight <number>',
      'maximum number of concurrent attempts over all routes of the upstream (default: 1000)',
      parseNumber,
    )
    .option(
      '--polls-per-second <number>',
      'maximum number of poll requests per second over all routes of the upstream (default: 50)',
      parseNumber,
    )
  addConnectionOptions(set)
    .option('--json', 'print the upstream as JSON')
    .action(async (name: string, options: SetOptions) => setExitCode(await setUpstream(name, options)))
  addExamples(
    set,
    [
      'framegate upstreams set fal-main --driver fal --api-key-from-env FAL_KEY --in-flight 40',
      'framegate upstreams set fal-main --driver fal --api-key-from-stdin < key.txt',
    ],
    operatorNotes,
  )

  const remove = upstreams
    .command('remove')
    .description('Remove an upstream that no route uses. Running attempts continue.')
    .argument('<name>', 'name of an upstream that was set with `framegate upstreams set` or over the API')
  addConnectionOptions(remove)
    .option('--json', 'print the removed upstream as JSON')
    .action(async (name: string, options: JsonOptions) =>
      setExitCode(await requestAndShow(options, { method: 'DELETE', path: pathOf(name) }, () => `${name} removed`)),
    )
  addExamples(remove, ['framegate upstreams remove fal-main'], operatorNotes)
}

async function listUpstreams(options: JsonOptions): Promise<number> {
  return listAndShow(
    options,
    async ({ client, call }) => (await client.request<List<AdminUpstream>>({ method: 'GET', path }, call)).items,
    {
      describe(upstreams) {
        const rows = upstreams.map((upstream) => [
          upstream.name,
          upstream.driver,
          upstream.has_api_key ? 'yes' : 'no',
          `${upstream.in_flight} of ${upstream.in_flight_max}`,
          stateText(upstream),
          sourceText(upstream),
        ])
        return table(
          [
            'NAME',
            'DRIVER',
            { heading: 'KEY', rank: 2 },
            'IN FLIGHT',
            { heading: 'STATE', long: 'wrap' },
            { heading: 'FROM', rank: 1 },
          ],
          rows,
        )
      },
      whenEmpty:
        'There are no upstreams. Set one with framegate upstreams set NAME --driver DRIVER; docs/upstreams.md lists the ' +
        'drivers.',
    },
  )
}

async function setUpstream(name: string, options: SetOptions): Promise<number> {
  const { driver, upstreamUrl, schemaUrl, apiKeyFromEnv, apiKeyFromStdin, removeApiKey, inFlight, pollsPerSecond, ...rest } =
    options
  const apiKey = removeApiKey ? null : await readKey(apiKeyFromEnv, apiKeyFromStdin ?? false)
  const body = {
    driver,
    ...(upstreamUrl !== undefined && { base_url: upstreamUrl }),
    ...(schemaUrl !== undefined && { schema_url: schemaUrl }),
    ...(apiKey !== undefined && { api_key: apiKey }),
    ...(inFlight !== undefined && { in_flight_max: inFlight }),
    ...(pollsPerSecond !== undefined && { polls_per_second: pollsPerSecond }),
  }
  return requestAndShow(rest, { method: 'PUT', path: pathOf(name), body }, describe)
}

/**
 * Reads an API key from the environment or stdin. A key is never an argument, because the shell
 * history and process lists show arguments.
 */
async function readKey(variable: string | undefined, isOnStdin: boolean): Promise<string | undefined> {
  if (variable === undefined && !isOnStdin) return undefined
  const key = (variable === undefined ? await text(process.stdin) : (process.env[variable] ?? '')).trim()
  if (key !== '') return key
  throw new CommandFailure(
    exitCodes.usage,
    variable === undefined ? 'No key was given on stdin.' : `${variable} is not set or empty.`,
  )
}

function describe(upstream: AdminUpstream): string {
  const { name, driver, base_url, has_api_key, in_flight_max, polls_per_second, fault } = upstream
  return facts([
    ['name', name],
    ['driver', driver],
    ['base URL', base_url],
    ['key', has_api_key ? 'yes, not shown' : 'none'],
    ['in flight', `at most ${in_flight_max}`],
    ['polls', `at most ${polls_per_second} per second`],
    ['state', stateText(upstream)],
    ['fault', fault],
  ])
}

function pathOf(name: string): string {
  return `${path}/${encodeURIComponent(name)}`
}
